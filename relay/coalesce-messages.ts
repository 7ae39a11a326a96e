import type { RunMessage } from '../domain/messages.ts';

/** A message and the trace of the request that wrote it, if there is one. */
type TracedMessage = { readonly message: RunMessage; readonly traceparent?: string | undefined };

/** A claimed message and the id of its row. */
export type ClaimedMessage = TracedMessage & { readonly id: string };

/** The latest of several equivalent messages, with the ids of all their rows. */
export type CoalescedMessage = TracedMessage & { readonly ids: readonly string[] };

/**
 * Joins messages to the same workflow with the same signal, since one signal makes the workflow
 * read all changes. Signals of different names stay separate, so that histories show each. Returns
 * the messages of each subject, each at the position of the first one that it joins.
 */
export function coalesceMessages(
  messages: readonly ClaimedMessage[],
): readonly (readonly CoalescedMessage[])[] {
  const subjects = new Map<string, Map<string, CoalescedMessage>>();
  for (const { id, ...traced } of messages) {
    const { kind, subjectId, payload } = traced.message;
    const ofSubject = subjects.get(subjectId) ?? new Map<string, CoalescedMessage>();
    const key = `${kind}/${'signal' in payload ? payload.signal : ''}`;
    ofSubject.set(key, { ...traced, ids: [...(ofSubject.get(key)?.ids ?? []), id] });
    subjects.set(subjectId, ofSubject);
  }
  return [...subjects.values()].map((ofSubject) => [...ofSubject.values()]);
}

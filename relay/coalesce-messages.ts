import type { RunMessage } from '../domain/messages.ts';

/** A message and the trace of the request that wrote it, if there is one. */
type TracedMessage = { readonly message: RunMessage; readonly traceparent?: string | undefined };

/** A claimed message and the id of its row. */
export type ClaimedMessage = TracedMessage & { readonly id: string };

/** The latest of several equivalent messages, with the ids of all their rows. */
export type CoalescedMessage = TracedMessage & { readonly ids: readonly string[] };

/**
 * Joins messages to the same workflow with the same signal, since one signal makes the workflow
 * read all changes. Signals of different names stay separate, so that histories show each. A group
 * has the position of its first message.
 */
export function coalesceMessages(messages: readonly ClaimedMessage[]): readonly CoalescedMessage[] {
  const groups = new Map<string, CoalescedMessage>();
  for (const { id, ...traced } of messages) {
    const { kind, subjectId, payload } = traced.message;
    const key = `${kind}/${subjectId}/${'signal' in payload ? payload.signal : ''}`;
    groups.set(key, { ...traced, ids: [...(groups.get(key)?.ids ?? []), id] });
  }
  return [...groups.values()];
}

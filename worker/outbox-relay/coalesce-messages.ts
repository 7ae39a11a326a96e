import type { OutboxMessage } from '../../db/outbox/outbox.ts';

/** The latest message to one workflow, standing for all of them. */
export type CoalescedMessage = { readonly message: OutboxMessage; readonly ids: readonly string[] };

/**
 * Messages say "look again": several to one workflow say it once, or once by each name that they say it by. Their order is
 * that of the first of each.
 */
export function coalesceMessages(messages: readonly OutboxMessage[]): readonly CoalescedMessage[] {
  const bySubject = new Map<string, { message: OutboxMessage; ids: string[] }>();
  for (const message of messages) {
    const key = `${message.kind}/${message.subjectId}/${message.input['signal'] ?? ''}`;
    const folded = bySubject.get(key);
    if (folded === undefined) bySubject.set(key, { message, ids: [message.id] });
    else {
      folded.message = message;
      folded.ids.push(message.id);
    }
  }
  return [...bySubject.values()];
}

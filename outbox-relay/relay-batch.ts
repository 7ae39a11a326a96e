import type { Logger } from 'pino';
import type { Sql } from '../db/core/client.ts';
import {
  claimOutboxMessages,
  deleteOutboxMessages,
  postponeOutboxMessages,
  setAsideOutboxMessages,
  type OutboxLane,
  type StoredMessage,
} from '../db/outbox/outbox.ts';
import type { RunMessage } from '../domain/messages.ts';
import { coalesceMessages, type ClaimedMessage } from './coalesce-messages.ts';
import { parseMessage } from './parse-message.ts';
import type { Backoff } from './poll-loop.ts';

/**
 * Hands one message, with the trace it belongs to, to Temporal. Rejects when Temporal did not take
 * it.
 */
export type HandleMessage = (message: RunMessage, traceparent?: string) => Promise<void>;
/**
 * Whether a failure means that Temporal is unavailable, rather than that it refused this message.
 */
export type IsOutage = (error: unknown) => boolean;

export type RelayDependencies = {
  readonly sql: Sql;
  readonly handleMessage: HandleMessage;
  readonly isOutage: IsOutage;
  readonly log: Logger;
};

/**
 * Claims messages and hands them to Temporal, in one transaction; returns how many left the outbox.
 * A message leaves the outbox only after Temporal has it, or when it cannot be parsed. A crash in
 * between repeats the hand-over, which is idempotent by workflow id.
 */
export async function relayBatch(
  { sql, handleMessage, isOutage, log }: RelayDependencies,
  {
    lane,
    limit,
    lowPriorityMax,
  }: { readonly lane: OutboxLane; readonly limit: number; readonly lowPriorityMax: number },
): Promise<number> {
  return sql.begin(async (transaction) => {
    const rows = await claimOutboxMessages(transaction, limit, { lane, lowPriorityMax });
    const { messages, malformed } = parseRows(rows, log);
    const taken: string[] = [];
    const refused: string[] = [];
    let outage: unknown = null;
    await Promise.all(
      coalesceMessages(messages).map(async ({ message, traceparent, ids }) => {
        try {
          await handleMessage(message, traceparent);
          taken.push(...ids);
        } catch (error) {
          if (isOutage(error)) outage = error;
          else {
            refused.push(...ids);
            const { kind, subjectId } = message;
            log.error(
              { err: error, kind, subjectId },
              'Temporal refused a message; retrying later',
            );
          }
        }
      }),
    );
    await deleteOutboxMessages(transaction, taken);
    await postponeOutboxMessages(transaction, refused);
    await setAsideOutboxMessages(transaction, malformed);
    if (outage !== null)
      log.warn({ err: outage }, 'Temporal is unavailable; messages wait in the outbox');
    return taken.length + malformed.length;
  });
}

/** As `relayBatch`. A full batch continues at once; otherwise the next round comes in `pollMs`. */
export async function relayRound(
  dependencies: RelayDependencies,
  { pollMs, ...claim }: Parameters<typeof relayBatch>[1] & { readonly pollMs: number },
): Promise<Backoff> {
  const moved = await relayBatch(dependencies, claim);
  return { ms: moved < claim.limit ? pollMs : 0 };
}

type Malformed = { readonly id: string; readonly reason: string };

function parseRows(rows: readonly StoredMessage[], log: Logger) {
  const messages: ClaimedMessage[] = [];
  const malformed: Malformed[] = [];
  for (const row of rows) {
    const { id, kind, subjectId } = row;
    const parsed = parseMessage(row);
    if ('message' in parsed) messages.push({ id, ...parsed });
    else {
      malformed.push({ id, reason: parsed.reason });
      log.error(
        { id, kind, subjectId, reason: parsed.reason },
        'set aside a message that this version cannot read; see "Messages set aside" in ' +
          'docs/operating.md',
      );
    }
  }
  return { messages, malformed };
}

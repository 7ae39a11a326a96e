import type { Logger } from 'pino';
import type { Sql } from '../db/core/client.ts';
import {
  claimOutboxMessages,
  deleteOutboxMessages,
  postponeOutboxMessages,
  setAsideOutboxMessages,
  type Claim,
  type StoredMessage,
} from '../db/outbox/outbox.ts';
import type { RunMessage } from '../domain/messages.ts';
import {
  coalesceMessages,
  type ClaimedMessage,
  type CoalescedMessage,
} from './coalesce-messages.ts';
import { parseMessage } from './parse-message.ts';
import { untilWoken, type Backoff } from './poll-loop.ts';

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

/** The number of messages that left the outbox, and whether Temporal was unavailable. */
type Relayed = { readonly moved: number; readonly hasOutage: boolean };

/**
 * Claims messages and hands them to Temporal, in one transaction. A message leaves the outbox only
 * after Temporal has it, or when it cannot be parsed. A crash in between repeats the hand-over,
 * which is idempotent by workflow id.
 */
export async function relayMessages(
  { sql, handleMessage, isOutage, log }: RelayDependencies,
  claim: Claim,
): Promise<Relayed> {
  return sql.begin(async (transaction) => {
    const rows = await claimOutboxMessages(transaction, claim);
    const { messages, malformed } = parseRows(rows, log);
    const taken: string[] = [];
    const refused: string[] = [];
    let outage: unknown = null;
    /** Returns whether Temporal took the message. */
    const handOver = async ({ message, traceparent, ids }: CoalescedMessage): Promise<boolean> => {
      try {
        await handleMessage(message, traceparent);
        taken.push(...ids);
        return true;
      } catch (error) {
        if (isOutage(error)) outage = error;
        else {
          refused.push(...ids);
          const { kind, subjectId } = message;
          log.error({ err: error, kind, subjectId }, 'Temporal refused a message; retrying later');
        }
        return false;
      }
    };
    await Promise.all(
      coalesceMessages(messages).map(async (ofSubject) => {
        // One after another, because a workflow gets its messages in the order of the outbox.
        for (const each of ofSubject) if (!(await handOver(each))) return;
      }),
    );
    await deleteOutboxMessages(transaction, taken);
    await postponeOutboxMessages(transaction, refused);
    await setAsideOutboxMessages(transaction, malformed);
    if (outage !== null)
      log.warn({ err: outage }, 'Temporal is unavailable; messages wait in the outbox');
    return { moved: taken.length + malformed.length, hasOutage: outage !== null };
  });
}

/**
 * Without this pause, each write during an outage would make a relay claim up to a hundred messages
 * and call Temporal for each.
 */
const outagePauseMs = 1000;

/**
 * As `relayMessages`, and returns the pause before the next round: none after a full claim,
 * `nextMs` while low-priority messages may be left, otherwise until the loop is woken. After an
 * outage of Temporal it is a second, whatever is written meanwhile.
 */
export async function relayRound(
  dependencies: RelayDependencies,
  { nextMs = untilWoken, ...claim }: Claim & { readonly nextMs?: number },
): Promise<Backoff> {
  const { moved, hasOutage } = await relayMessages(dependencies, claim);
  if (hasOutage && moved === 0) return { ms: outagePauseMs, ignoresWake: true };
  if (moved >= claim.limit) return { ms: 0 };
  return { ms: moved > 0 || claim.lowPriorityMax === 0 ? nextMs : untilWoken };
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
          'docs/operating/repairs.md',
      );
    }
  }
  return { messages, malformed };
}

import type { Queryable } from '../core/client.ts';
import { countOf } from '../core/rows.ts';

/**
 * A lane of messages. `commands` go to reviews, returns, agreement switches and jobs. `all` are
 * those and the messages to the runs of deliveries.
 */
export type OutboxLane = 'commands' | 'all';

/** A row of the outbox as Postgres has it. The relay parses it into a `RunMessage`. */
export type StoredMessage = {
  readonly id: string;
  readonly kind: string;
  readonly subjectId: string;
  readonly payload: unknown;
};

/** What is due for so long should have been claimed at its notification. */
const missedMs = 500;

/** Claims read no message before the id of its priority. */
export type MessagesSince = { readonly normal: bigint; readonly low: bigint };

/**
 * Which messages are claimed: of a lane, at most `limit` of normal priority (of `all`, of each of
 * its two lanes), and at most `lowPriorityMax` (default: `limit`) of low priority.
 */
export type Claim = {
  readonly lane: OutboxLane;
  readonly limit: number;
  readonly lowPriorityMax?: number;
  readonly since?: MessagesSince;
};

/**
 * Looks through the whole outbox: the least ids of due messages of a lane, or the id that comes
 * next where none is due; and whether claims have missed any.
 */
export async function findDueMessages(sql: Queryable, lane: OutboxLane) {
  const lanes = lane === 'all' ? ['runs', 'commands'] : [lane];
  type Row = { next: string; normal: string | null; low: string | null; hasMissed: boolean };
  const [{ next, normal, low, hasMissed }] = await sql<[Row]>`
    select (select last_value + 1 from outbox_id_seq) as next,
      min(id) filter (where not is_low_priority) as normal,
      min(id) filter (where is_low_priority) as low,
      coalesce(min(due_at) < now() - ${missedMs} * interval '1 millisecond', false) as has_missed
    from outbox where due_at <= now() and lane = any(${lanes})`;
  return { normal: BigInt(normal ?? next), low: BigInt(low ?? next), hasMissed };
}

/**
 * Claims due messages until the transaction ends; other relays skip them. Messages to one workflow
 * keep their order: a relay leaves a message whose subject another relay has locked. Later messages
 * can overtake only a message that Temporal refused, one of low priority, or one whose transaction
 * took seconds. That is harmless, since workflows read the current state from Postgres.
 */
export const claimOutboxMessages = (
  sql: Queryable,
  { lane, limit, lowPriorityMax = limit, since = { normal: 0n, low: 0n } }: Claim,
): Promise<readonly StoredMessage[]> => sql<StoredMessage[]>`
  select * from claim_messages(${lane}, ${limit}, ${lowPriorityMax}, ${`${since.normal}`},
    ${`${since.low}`})`;

/** Deletes messages that Temporal has taken. */
export async function deleteOutboxMessages(sql: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`delete from outbox where id = any(${[...ids]}::bigint[])`;
}

/**
 * Makes messages that Temporal refused due again later: after 200 ms, doubling up to a minute. A
 * look finds them, unless something else wakes the relay.
 */
export async function postponeOutboxMessages(
  sql: Queryable,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update outbox set attempts = attempts + 1,
      due_at = now() + least(interval '60 seconds',
        interval '200 milliseconds' * 2 ^ least(attempts, 10))
    where id = any(${[...ids]}::bigint[])`;
}

/** Moves messages that the relay cannot parse out of the outbox and keeps them with the reason. */
export async function setAsideOutboxMessages(
  sql: Queryable,
  messages: readonly { readonly id: string; readonly reason: string }[],
): Promise<void> {
  if (messages.length === 0) return;
  await sql`
    with malformed as (
      delete from outbox
      using unnest(${messages.map(({ id }) => id)}::bigint[],
        ${messages.map(({ reason }) => reason)}::text[])
        as input (id, reason)
      where outbox.id = input.id
      returning outbox.id, kind, subject_id, payload, is_low_priority, created_at, reason
    )
    insert into outbox_set_aside (id, kind, subject_id, payload, is_low_priority, created_at,
      reason)
    select * from malformed`;
}

/** How many messages are set aside. */
export const countMessagesSetAside = (sql: Queryable): Promise<number> =>
  countOf(sql, sql`outbox_set_aside`);

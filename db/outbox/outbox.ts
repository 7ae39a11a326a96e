import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';

/**
 * Which messages: those that start the runs of delivery batches; those of commands, to reviews,
 * returns and agreement switches; or the latter with those to the runs of deliveries. No lane has
 * those that ask for the first attempt of a schedule, which `claimFirstAttempts` claims. Each lane
 * has its own relay loop, so that none waits behind another.
 */
export type OutboxLane = 'batches' | 'commands' | 'rest';

/** A row of the outbox as Postgres has it. The relay parses it into an `OutboxMessage`. */
export type StoredMessage = {
  readonly id: string;
  readonly kind: string;
  readonly subjectId: string;
  readonly payload: unknown;
};

/**
 * Claims due messages until the transaction ends; other relays skip them. Messages to one workflow
 * keep their order: a relay leaves a message whose subject another relay has locked. Only a message
 * that Temporal refused, or one of low priority, can be overtaken. That is harmless, since
 * workflows read the current state from Postgres. Claims at most `lowPriorityMax` messages of low
 * priority.
 */
export async function claimOutboxMessages(
  sql: Queryable,
  limit: number,
  { lane, lowPriorityMax = limit }: { readonly lane: OutboxLane; readonly lowPriorityMax?: number },
): Promise<readonly StoredMessage[]> {
  return sql<StoredMessage[]>`
    with normal_priority as materialized (
      select id, kind, subject_id, payload from outbox
      where due_at <= now() and not is_low_priority and ${isInLane(sql, lane)}
      order by id limit ${limit} for update skip locked
    ), low_priority as materialized (
      select id, kind, subject_id, payload from outbox
      where due_at <= now() and is_low_priority and ${isInLane(sql, lane)}
      order by id limit ${lowPriorityMax} for update skip locked
    ), due as (
      select * from normal_priority union all select * from low_priority
    ), subjects as materialized (
      select subject_id,
        pg_try_advisory_xact_lock(hashtextextended(subject_id::text, 0)) as is_locked
      from (select distinct subject_id from due) as each_once
    )
    select due.id, due.kind, due.subject_id, due.payload
    from due join subjects using (subject_id) where subjects.is_locked
    order by due.id`;
}

function isInLane(sql: Queryable, lane: OutboxLane): Fragment {
  if (lane === 'batches') return sql`kind = 'webhookDeliveryBatch'`;
  if (lane === 'commands') return sql`kind not in ('webhookDelivery', 'webhookDeliveryBatch')`;
  return sql`kind <> 'webhookDeliveryBatch' and not (
    kind = 'webhookDelivery' and coalesce(payload ->> 'signal', '') in ('start', 'redeliver')
  )`;
}

/** Deletes messages that Temporal has taken. */
export async function deleteOutboxMessages(sql: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`delete from outbox where id = any(${[...ids]}::bigint[])`;
}

/** Makes messages that Temporal refused due again later: after 200 ms, doubling up to a minute. */
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
        as given (id, reason)
      where outbox.id = given.id
      returning outbox.id, kind, subject_id, payload, is_low_priority, created_at, reason
    )
    insert into outbox_set_aside (id, kind, subject_id, payload, is_low_priority, created_at,
      reason)
    select * from malformed`;
}

/** How many messages are set aside. */
export async function countMessagesSetAside(sql: Queryable): Promise<number> {
  const [{ count }] = await sql<[{ count: number }]>`
    select count(*)::int as count from outbox_set_aside`;
  return count;
}

import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';

export type OutboxKind =
  | 'offerReview'
  | 'webhookDelivery'
  | 'webhookDeliveryBatch'
  | 'agreementSwitch'
  | 'returnInspection';

/**
 * Which messages: dispatches, deliveries that ask for the first attempt of their schedule, or all others. What has a relay of its
 * own does not queue behind the rest.
 */
export type OutboxLane = 'dispatches' | 'deliveries' | 'rest';

/** One message to a workflow: ids and state names only. */
export type OutboxMessage = {
  readonly id: string;
  readonly kind: OutboxKind;
  readonly subjectId: string;
  readonly input: Readonly<Record<string, string>>;
  readonly attempts: number;
};

/**
 * Claims due messages for as long as the transaction lasts; other relays skip them. Messages to one workflow keep
 * their order: a relay that cannot have the workflow's lock, because another holds an earlier message, leaves it. Only one
 * that Temporal refused, or that may wait, may be overtaken, which is harmless: a message says "look again", and each look sees everything.
 * Of those that may wait, `mayWaitMax` at most.
 */
export async function claimOutboxMessages(
  sql: Queryable,
  limit: number,
  { lane, mayWaitMax = limit }: { readonly lane: OutboxLane; readonly mayWaitMax?: number },
): Promise<readonly OutboxMessage[]> {
  return sql<OutboxMessage[]>`
    with normal_priority as materialized (
      select id, kind, subject_id, input, attempts from outbox
      where due_at <= now() and not is_low_priority and ${isInLane(sql, lane)}
      order by id limit ${limit} for update skip locked
    ), low_priority as materialized (
      select id, kind, subject_id, input, attempts from outbox
      where due_at <= now() and is_low_priority and ${isInLane(sql, lane)}
      order by id limit ${mayWaitMax} for update skip locked
    ), due as (
      select * from normal_priority union all select * from low_priority
    ), subjects as materialized (
      select subject_id, pg_try_advisory_xact_lock(hashtextextended(subject_id::text, 0)) as is_ours
      from (select distinct subject_id from due) as each_once
    )
    select due.id, due.kind, due.subject_id, due.input, due.attempts
    from due join subjects using (subject_id) where subjects.is_ours
    order by due.id`;
}

/** A delivery's message that asks for the first attempt of its schedule: only those may share a run. */
export const asksForFirstAttempt = (sql: Queryable): Fragment => sql`
  kind = 'webhookDelivery' and coalesce(input ->> 'signal', 'redeliver') = 'redeliver'`;

function isInLane(sql: Queryable, lane: OutboxLane): Fragment {
  if (lane === 'dispatches') return sql`kind = 'webhookDeliveryBatch'`;
  if (lane === 'deliveries') return asksForFirstAttempt(sql);
  return sql`kind <> 'webhookDeliveryBatch' and not (${asksForFirstAttempt(sql)})`;
}

/** Temporal has them. */
export async function deleteOutboxMessages(sql: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`delete from outbox where id = any(${[...ids]}::bigint[])`;
}

/** Temporal did not take them: later again, each time a little later, at most a minute. */
export async function postponeOutboxMessages(
  sql: Queryable,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update outbox set attempts = attempts + 1,
      due_at = now() + least(interval '60 seconds', interval '200 milliseconds' * 2 ^ least(attempts, 10))
    where id = any(${[...ids]}::bigint[])`;
}

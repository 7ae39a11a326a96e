import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../../../db/core/client.ts';
import type { DeliveryState } from '../../../db/webhooks/webhook-deliveries.ts';

/** An id, and with it an instant, as something had that was made then. */
export const idOf = (at: Date): string => uuidv7({ msecs: at.getTime() });

export const dayMs = 24 * 3_600_000;
export const ago = (ms: number): Date => new Date(Date.now() - ms);

export type OldDelivery = {
  readonly vendorId: string;
  readonly subscriptionId: string;
  readonly at: Date;
  readonly state: DeliveryState;
  /** The first one first. `succeeded` is null while it is under way. Default: it failed. */
  readonly attempts?: readonly { at: Date; succeeded?: boolean | null; nextAttemptAt?: Date }[];
  readonly isTest?: boolean;
  readonly batchId?: string | null;
};

const eventType = 'vendor.offer.review-decision';

/**
 * A delivery with its event and attempts, as if made at another time; returns its id. One that
 * waits has a run or a batch, and is not in the queue.
 */
export async function seedOldDelivery(sql: Sql, given: OldDelivery): Promise<string> {
  const { vendorId, subscriptionId, at, state } = given;
  const { attempts = [], isTest = false, batchId = null } = given;
  const id = idOf(at);
  const eventId = `evt_${idOf(at)}`;
  await sql`
    insert into webhook_events (id, vendor_id, event_type, body, occurred_at)
    values (${eventId}, ${vendorId}, ${eventType}, '{}', ${at})`;
  await sql`
    insert into webhook_deliveries
      (id, event_id, subscription_id, vendor_id, event_type, created_at, is_test, batch_id,
        next_attempt_at, attempts, is_under_way)
    values (${id}, ${eventId}, ${subscriptionId}, ${vendorId}, ${eventType}, ${at}, ${isTest},
      ${batchId}, ${batchId === null ? at : null}, ${attempts.length},
      ${attempts.at(-1)?.succeeded === null})`;
  for (const [index, attempt] of attempts.entries()) {
    const { succeeded = false, nextAttemptAt = attempt.at } = attempt;
    await sql`
      insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
        event_id, sent_at, succeeded, next_attempt_at, created_at)
      values (${idOf(attempt.at)}, ${id}, ${subscriptionId}, ${index + 1}, ${eventType}, ${eventId},
        ${succeeded === null ? null : attempt.at}, ${succeeded}, ${nextAttemptAt}, ${attempt.at})`;
  }
  // Counted as what it is when it ends, not when it is made.
  if (state !== 'waiting')
    await sql`
      update webhook_deliveries set state = ${state}, next_attempt_at = null where id = ${id}`;
  return id;
}

/**
 * Deliveries a second apart, the first a given number of days ago, each with its event, attempt and
 * batch.
 */
export async function seedManyDeliveries(
  sql: Sql,
  { vendorId, subscriptionId }: Pick<OldDelivery, 'vendorId' | 'subscriptionId'>,
  { count, days, state }: Pick<OldDelivery, 'state'> & Readonly<Record<'count' | 'days', number>>,
): Promise<void> {
  await sql`
    with made as materialized (
      select uuidv7(${-days}::int * interval '1 day' + i * interval '1 second') as id
      from generate_series(1, ${count}::int) as i
    ), events as (
      insert into webhook_events (id, vendor_id, event_type, body, occurred_at)
      select 'evt_' || id, ${vendorId}::uuid, ${eventType}, '{}', now() from made
    ), deliveries as (
      insert into webhook_deliveries (id, event_id, subscription_id, vendor_id, event_type,
        next_attempt_at, attempts)
      select id, 'evt_' || id, ${subscriptionId}::uuid, ${vendorId}::uuid, ${eventType},
        case when ${state === 'waiting'} then now() end, 1
      from made
    ), attempts as (
      insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
        event_id, succeeded, next_attempt_at, created_at)
      select id, id, ${subscriptionId}::uuid, 1, ${eventType}, 'evt_' || id,
        ${state === 'succeeded'}::boolean, now(), now() + ${-days}::int * interval '1 day'
      from made
    )
    insert into webhook_delivery_batches (id, delivery_ids) select id, array[id] from made`;
  if (state !== 'waiting')
    await sql`
      update webhook_deliveries set state = ${state}
      where subscription_id = ${subscriptionId} and state = 'waiting'`;
}

/** A batch of these deliveries, made then. */
export async function seedOldBatch(
  sql: Sql,
  { id, deliveryIds, at }: { id: string; deliveryIds: readonly string[]; at: Date },
): Promise<void> {
  await sql`
    insert into webhook_delivery_batches (id, delivery_ids, created_at)
    values (${id}, ${[...deliveryIds]}::uuid[], ${at})`;
}

/** Where the kept counts and the rows say something else; nothing, if all is well. */
export const wrongCounts = (sql: Sql): Promise<readonly unknown[]> => sql`
  select coalesce(kept.key, real.key) as key, coalesce(kept.total, 0) as kept,
    coalesce(real.total, 0) as real
  from (
    select 'attempts ' || subscription_id as key, sum(delta) as total
    from all_attempt_counts() group by 1
    union all
    select concat_ws(' ', vendor_id, event_type, state), sum(delta) from delivery_counts group by 1
  ) as kept full join (
    select 'attempts ' || subscription_id as key, count(*) as total from webhook_attempts group by 1
    union all
    select concat_ws(' ', vendor_id, event_type, state), count(*) from webhook_deliveries
    where state <> 'waiting' group by 1
  ) as real using (key)
  where coalesce(kept.total, 0) <> coalesce(real.total, 0)`;

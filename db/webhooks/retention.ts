import type { Fragment } from 'postgres';
import type { Sql } from '../core/client.ts';
import { valueOf } from '../core/rows.ts';
import { joinByKeys } from '../core/transaction.ts';

/** The numbers of deleted rows. */
export type Pruned = {
  readonly deliveries: number;
  readonly attempts: number;
  readonly events: number;
  readonly deliveryBatches: number;
  readonly subscriptions: number;
};

/** Rows of one statement, which then takes some tens of milliseconds. */
export const pruneBatchSize = 1000;

const dayMs = 24 * 3_600_000;

/** The least UUIDv7 of an instant: lesser ids are older. */
function leastIdOf(instant: Date): string {
  const hex = instant.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/**
 * Deletes up to {@link pruneBatchSize} rows of each kind that are older than `before`: ended
 * deliveries with their attempts, and old attempts of redelivered ones. Events, delivery batches of
 * an earlier version and deleted subscriptions go once nothing refers to them. The primary keys
 * find old rows, because ids are UUIDv7.
 */
export async function pruneWebhookHistory(sql: Sql, before: Date): Promise<Pruned> {
  const bound = leastIdOf(before);
  /** Deletes rows; `more` is further CTEs, which may read the rows. */
  const take = (rows: Fragment, more: Fragment = sql``): Promise<number> =>
    sql.begin(async (transaction) => {
      await joinByKeys(transaction);
      return valueOf(transaction`
        with removed as (${rows}) ${more} select count(*)::int from removed`);
    });
  const limit = pruneBatchSize;
  // A batch has its id shortly before its members, which are older than a day later.
  const afterClaims = new Date(before.getTime() + dayMs);
  // One after another: each frees the rows of the next one.
  const deliveries = await take(sql`
    delete from webhook_deliveries where id = any(array(
      select id from webhook_deliveries as delivery
      where id < ${bound} and state <> 'waiting' and not exists (
        select from webhook_attempts where delivery_id = delivery.id and created_at >= ${before}
      )
      -- Skips locked rows: a concurrent writer may be redelivering them.
      order by id limit ${limit} for update skip locked
    )) returning id`);
  const attempts = await take(sql`
    delete from webhook_attempts where id = any(array(
      select id from webhook_attempts where id < ${bound} and succeeded is not null
      order by id limit ${limit}
    )) returning id`);
  const events = await take(
    sql`
      delete from webhook_events where id = any(array(
        select id from webhook_events as event
        where id < ${`evt_${bound}`}
          and not exists (select from webhook_deliveries where event_id = event.id)
        order by id limit ${limit}
      )) returning vendor_id, sequence`,
    markedExpired(sql),
  );
  const deliveryBatches = await take(sql`
    delete from webhook_delivery_batches where id = any(array(
      select id from webhook_delivery_batches
      -- A batch has up to 500 members, so that one search for all batches reads less.
      where id < ${bound} and id <> all(array(
        select batch_id from webhook_deliveries
        where listed_state = 'waiting' and id < ${leastIdOf(afterClaims)} and batch_id is not null
      ))
      order by id limit ${limit}
    )) returning id`);
  const subscriptions = await take(sql`
    delete from webhook_subscriptions where id = any(array(
      select id from webhook_subscriptions as subscription
      where deleted_at < ${before}
        and not exists (select from webhook_deliveries where subscription_id = subscription.id)
      order by deleted_at limit ${limit}
    )) returning id`);
  return { deliveries, attempts, events, deliveryBatches, subscriptions };
}

/** Records up to which number a vendor's events are removed. */
const markedExpired = (sql: Sql): Fragment => sql`
  , expired as materialized (
    select vendor_id, max(sequence) as latest from removed where sequence is not null
    group by vendor_id
  ), locked as materialized (
    -- The order of emit_events prevents deadlocks.
    select vendor_id from event_sequences where vendor_id in (select vendor_id from expired)
    order by vendor_id for no key update
  ), marked as (
    update event_sequences set expired_through = greatest(expired_through, expired.latest)
    from expired join locked on locked.vendor_id = expired.vendor_id
    where event_sequences.vendor_id = expired.vendor_id
  )`;

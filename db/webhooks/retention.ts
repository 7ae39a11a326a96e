import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';

/** What a round of pruning took away, in rows. */
export type Pruned = {
  readonly deliveries: number;
  readonly attempts: number;
  readonly events: number;
  readonly dispatches: number;
  readonly subscriptions: number;
};

/** Rows taken at once: a statement of some tens of milliseconds, so that nobody waits for it. */
export const pruneBatchSize = 1000;

/** The least UUIDv7 of an instant: ids that are less were made before it. */
function leastIdOf(instant: Date): string {
  const hex = instant.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/**
 * Takes away a batch of what is older than `before` (D48): deliveries that have ended, with their attempts; old attempts of those that
 * were redelivered since; events, dispatches and deleted subscriptions that nothing refers to any more. Answers what it
 * took; less than {@link pruneBatchSize} of each means that no more is left. Ids are made in the order of time, so the
 * primary keys find what is old.
 */
export async function pruneWebhookHistory(sql: Queryable, before: Date): Promise<Pruned> {
  const bound = leastIdOf(before);
  const take = async (rows: Fragment): Promise<number> => {
    const [row] = await sql<[{ total: number }]>`
      with gone as (${rows}) select count(*)::int as total from gone`;
    return row.total;
  };
  const limit = pruneBatchSize;
  // One after another: each makes the next one's rows free.
  const deliveries = await take(sql`
    delete from webhook_deliveries where id in (
      select id from webhook_deliveries as delivery
      where id < ${bound} and state <> 'waiting' and not exists (
        select from webhook_attempts where delivery_id = delivery.id and created_at >= ${before}
      )
      -- One that somebody holds, who may be redelivering it, is left for later.
      order by id limit ${limit} for update skip locked
    ) returning id`);
  const attempts = await take(sql`
    delete from webhook_attempts where id in (
      select id from webhook_attempts where id < ${bound} and succeeded is not null order by id limit ${limit}
    ) returning id`);
  const events = await take(sql`
    delete from webhook_events where id in (
      select id from webhook_events as event
      where id < ${`evt_${bound}`} and not exists (select from webhook_deliveries where event_id = event.id)
      order by id limit ${limit}
    ) returning id`);
  const dispatches = await take(sql`
    delete from webhook_delivery_batches where id in (
      select id from webhook_delivery_batches as dispatch
      where id < ${bound} and not exists (
        select from webhook_deliveries
        where id = any(dispatch.delivery_ids) and batch_id = dispatch.id and state = 'waiting'
      )
      order by id limit ${limit}
    ) returning id`);
  const subscriptions = await take(sql`
    delete from webhook_subscriptions as subscription
    where deleted_at < ${before}
      and not exists (select from webhook_deliveries where subscription_id = subscription.id)
    returning id`);
  return { deliveries, attempts, events, dispatches, subscriptions };
}

import type { EventType } from '../../../domain/webhooks/events.ts';
import type { Queryable } from '../../core/client.ts';
import { waitingDeliveries } from '../delivery-queue.ts';
import type { WebhookSubscription } from './webhook-subscriptions.ts';

/**
 * Returns which of the types have events that the subscription can still receive: their deliveries
 * wait, or are dead letters, which an operator may recover. Samples do not count. In a transaction
 * that has locked the subscription, no event of a removed type is added later.
 */
export async function undeliveredTypes(
  sql: Queryable,
  { id, vendorId }: Pick<WebhookSubscription, 'id' | 'vendorId'>,
  among: readonly EventType[],
): Promise<readonly EventType[]> {
  if (among.length === 0) return [];
  // Waits for transactions that read the event types before the lock on the subscription. The next
  // statement sees their deliveries.
  await sql`select lock_event_sequence(${vendorId})`;
  const ofType = sql`and event_type = input.event_type and not is_test`;
  const rows = await sql<{ eventType: EventType }[]>`
    select input.event_type from unnest(${[...among]}::text[]) as input (event_type)
    where exists (
      select from webhook_deliveries
      where subscription_id = ${id} and listed_state = 'deadLettered' ${ofType}
    ) or exists (select from ${waitingDeliveries(sql, ofType, sql`and subscription_id = ${id}`)})`;
  return rows.map(({ eventType }) => eventType);
}

import type { EventType } from '../../../domain/webhooks/events.ts';
import type { Queryable } from '../../core/client.ts';
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
  const rows = await sql<{ eventType: EventType }[]>`
    select input.event_type from unnest(${[...among]}::text[]) as input (event_type)
    where exists (
      select from webhook_deliveries as delivery
      where delivery.subscription_id = ${id} and delivery.event_type = input.event_type
        and delivery.state in ('waiting', 'deadLettered') and not delivery.is_test
    )`;
  return rows.map(({ eventType }) => eventType);
}

import type {
  DeadLetteredData,
  DisabledReason,
  WebhookDisabledData,
} from '../../domain/webhooks/events.ts';
import type { Queryable } from '../core/client.ts';
import { newEvent, type NewEvent } from './webhook-events.ts';

/**
 * The events about dead letters, for the vendor's other subscriptions. A dead letter that is itself
 * about a webhook causes none: otherwise failing subscriptions would cause events for each other
 * without end.
 */
export async function deadLetterEvents(
  sql: Queryable,
  deliveryIds: readonly string[],
): Promise<readonly NewEvent[]> {
  if (deliveryIds.length === 0) return [];
  // The other columns are the data of the event, in its order.
  type DeadLetter = DeadLetteredData & { readonly vendorId: string; readonly occurredAt: Date };
  const rows = await sql<DeadLetter[]>`
    select delivery.vendor_id, coalesce(
        vendors.clock_stands_at, delivery.dead_lettered_at + vendors.clock_offset
      ) as occurred_at,
      delivery.subscription_id, delivery.id as delivery_id,
      delivery.event_id as dead_lettered_event_id,
      delivery.event_type as dead_lettered_event_type, delivery.attempts as attempt_count,
      attempt.http_status, attempt.error_summary
    from webhook_deliveries as delivery join webhook_attempts as attempt
      on attempt.delivery_id = delivery.id and attempt.attempt_number = delivery.attempts
    join vendors on vendors.id = delivery.vendor_id
    where delivery.id = any(${[...deliveryIds]}::uuid[]) and delivery.state = 'deadLettered'
      and delivery.event_type not like 'vendor.webhook.%'
    order by delivery.id`;
  return rows.map(({ vendorId, occurredAt, ...data }) =>
    newEvent({
      eventType: 'vendor.webhook.delivery-dead-lettered',
      vendorId,
      occurredAt,
      excludedSubscriptionId: data.subscriptionId,
      data,
    }),
  );
}

/** The events about subscriptions that the gateway has made inactive. */
export async function disabledEvents(
  sql: Queryable,
  reasons: ReadonlyMap<string, DisabledReason>,
): Promise<readonly NewEvent[]> {
  if (reasons.size === 0) return [];
  const rows = await sql<{ id: string; vendorId: string; now: Date }[]>`
    select subscription.id, vendor_id, business_now(vendors.clock_offset, vendors.clock_stands_at) as now
    from webhook_subscriptions as subscription join vendors on vendors.id = vendor_id
    where subscription.id = any(${[...reasons.keys()]}::uuid[]) order by subscription.id`;
  return rows.flatMap(({ id: subscriptionId, vendorId, now: occurredAt }) => {
    const reason = reasons.get(subscriptionId);
    if (reason === undefined) return [];
    const data: WebhookDisabledData = { subscriptionId, reason };
    return [newEvent({ eventType: 'vendor.webhook.disabled', vendorId, occurredAt, data })];
  });
}

import type {
  DeadLetteredData,
  DisabledReason,
  EventType,
  WebhookDisabledData,
} from '../../domain/webhooks/events.ts';
import type { Queryable } from '../core/client.ts';
import { newEvent, type NewEvent } from './webhook-events.ts';

type DeadLetter = {
  readonly vendorId: string;
  readonly subscriptionId: string;
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventType: EventType;
  readonly attemptCount: number;
  readonly httpStatus: number | null;
  readonly errorSummary: string | null;
  readonly deadLetteredAt: Date;
};

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
  const rows = await sql<DeadLetter[]>`
    select delivery.vendor_id, delivery.subscription_id, delivery.id as delivery_id,
      delivery.event_id, delivery.event_type, delivery.attempts as attempt_count,
      attempt.http_status, attempt.error_summary, delivery.dead_lettered_at
    from webhook_deliveries as delivery join webhook_attempts as attempt
      on attempt.delivery_id = delivery.id and attempt.attempt_number = delivery.attempts
    where delivery.id = any(${[...deliveryIds]}::uuid[]) and delivery.state = 'deadLettered'
      and delivery.event_type not like 'vendor.webhook.%'
    order by delivery.id`;
  return rows.map(deadLetterEvent);
}

function deadLetterEvent(letter: DeadLetter): NewEvent {
  const { vendorId, subscriptionId, deadLetteredAt: occurredAt } = letter;
  const data: DeadLetteredData = {
    subscriptionId,
    deliveryId: letter.deliveryId,
    deadLetteredEventId: letter.eventId,
    deadLetteredEventType: letter.eventType,
    attemptCount: letter.attemptCount,
    httpStatus: letter.httpStatus,
    errorSummary: letter.errorSummary,
  };
  return newEvent({
    eventType: 'vendor.webhook.delivery-dead-lettered',
    vendorId,
    occurredAt,
    excludedSubscriptionId: subscriptionId,
    data,
  });
}

/** The events about subscriptions that the gateway has made inactive. */
export async function disabledEvents(
  sql: Queryable,
  reasons: ReadonlyMap<string, DisabledReason>,
): Promise<readonly NewEvent[]> {
  if (reasons.size === 0) return [];
  const rows = await sql<{ id: string; vendorId: string; now: Date }[]>`
    select id, vendor_id, clock_timestamp() as now from webhook_subscriptions
    where id = any(${[...reasons.keys()]}::uuid[]) order by id`;
  return rows.flatMap(({ id: subscriptionId, vendorId, now: occurredAt }) => {
    const reason = reasons.get(subscriptionId);
    if (reason === undefined) return [];
    const data: WebhookDisabledData = { subscriptionId, reason };
    return [newEvent({ eventType: 'vendor.webhook.disabled', vendorId, occurredAt, data })];
  });
}

import type { EventType } from '../domain/events.ts';
import type { Queryable } from './client.ts';
import { offsetOf, type Page, type PageRequest } from './page.ts';

/** One attempt as the vendor lists it (part 2, Delivery attempt). */
export type DeliveryAttempt = {
  readonly id: string;
  readonly eventType: EventType;
  readonly eventId: string;
  readonly attemptNumber: number;
  readonly httpStatus: number | null;
  readonly sentAt: Date | null;
  /** Null while the request is under way. */
  readonly succeeded: boolean | null;
  readonly errorSummary: string | null;
  readonly deadLetteredAt: Date | null;
  readonly nextAttemptAt: Date;
};

/** Every attempt at any event of one subscription, newest first. */
export async function listAttempts(
  sql: Queryable,
  subscriptionId: string,
  request: PageRequest,
): Promise<Page<DeliveryAttempt>> {
  const [items, [count]] = await Promise.all([
    sql<DeliveryAttempt[]>`
      select id, event_type, event_id, attempt_number, http_status, sent_at, succeeded, error_summary,
        dead_lettered_at, next_attempt_at
      from webhook_attempts where subscription_id = ${subscriptionId}
      order by created_at desc, id desc
      limit ${request.pageSize} offset ${offsetOf(request)}`,
    sql<[{ total: number }]>`
      select count(*)::int as total from webhook_attempts where subscription_id = ${subscriptionId}`,
  ]);
  return { items, totalCount: count.total };
}

/** Where a delivery stands. */
export type DeliveryState = 'waiting' | 'succeeded' | 'deadLettered' | 'cancelled';

/** What an attempt needs, and what is already known of it. */
export type AttemptFacts = {
  readonly subscriptionId: string;
  readonly url: string;
  readonly secretSealed: Uint8Array;
  readonly isActive: boolean;
  readonly eventId: string;
  readonly body: string;
  readonly deliveryState: DeliveryState;
  /** The result that an earlier run of the same step recorded; null when there is none. */
  readonly recorded: RecordedAttempt | null;
};

export type RecordedAttempt = {
  readonly succeeded: boolean;
  readonly httpStatus: number | null;
  readonly errorSummary: string | null;
  readonly nextAttemptAt: string;
};

/**
 * Writes the attempt's row before the request goes out, and answers what to send; null when the delivery is gone.
 * Repeated for the same attempt it writes nothing and tells what was recorded, so that a result that was once
 * recorded is never sent again. The secret is read anew at each attempt: a rotation takes effect at the next one.
 */
export async function beginAttempt(
  sql: Queryable,
  attempt: {
    readonly id: string;
    readonly deliveryId: string;
    readonly attemptNumber: number;
    readonly at: Date;
  },
): Promise<AttemptFacts | null> {
  const { id, deliveryId, attemptNumber, at } = attempt;
  const [row] = await sql<AttemptFacts[]>`
    with delivery as (
      select d.id, d.event_id, d.subscription_id, d.event_type, d.state, s.url, s.secret_sealed, s.is_active, e.body
      from webhook_deliveries d
      join webhook_subscriptions s on s.id = d.subscription_id
      join webhook_events e on e.id = d.event_id
      where d.id = ${deliveryId}
    ), begun as (
      insert into webhook_attempts
        (id, delivery_id, subscription_id, attempt_number, event_type, event_id, next_attempt_at, created_at)
      select ${id}::uuid, id, subscription_id, ${attemptNumber}::int, event_type, event_id,
        ${at}::timestamptz, ${at}::timestamptz
      from delivery
      on conflict (delivery_id, attempt_number) do nothing
    )
    select delivery.subscription_id, delivery.url, delivery.secret_sealed, delivery.is_active, delivery.event_id,
      delivery.body, delivery.state as delivery_state,
      case when known.succeeded is not null then jsonb_build_object(
        'succeeded', known.succeeded, 'httpStatus', known.http_status, 'errorSummary', known.error_summary,
        'nextAttemptAt', known.next_attempt_at
      ) end as recorded
    from delivery left join webhook_attempts known
      on known.delivery_id = delivery.id and known.attempt_number = ${attemptNumber}`;
  return row ?? null;
}

/** How an attempt ended, and with it, perhaps, the delivery. */
export type AttemptResult = {
  readonly deliveryId: string;
  readonly attemptNumber: number;
  readonly sentAt: Date | null;
  readonly succeeded: boolean;
  readonly httpStatus: number | null;
  readonly errorSummary: string | null;
  /** When the next attempt is due; at a terminal attempt, the instant of this one (D48). */
  readonly nextAttemptAt: Date;
  readonly deliveryState: DeliveryState;
  /** Why the subscription becomes inactive with this result; null when it does not. */
  readonly deactivates: string | null;
  readonly at: Date;
};

/** Records a result once, with the delivery's state and the subscription's last-delivery fields: one statement. */
export async function recordAttempt(sql: Queryable, result: AttemptResult): Promise<void> {
  const { deliveryId, attemptNumber, succeeded, deliveryState, at } = result;
  const lastStatus = succeeded ? 'Success' : deliveryState === 'deadLettered' ? 'DeadLettered' : 'Failed';
  await sql`
    with recorded as (
      update webhook_attempts set
        http_status = ${result.httpStatus}, sent_at = ${result.sentAt}, succeeded = ${succeeded},
        error_summary = ${result.errorSummary}, next_attempt_at = ${result.nextAttemptAt},
        dead_lettered_at = ${deliveryState === 'deadLettered' ? at : null}
      where delivery_id = ${deliveryId} and attempt_number = ${attemptNumber} and succeeded is null
      returning delivery_id, subscription_id
    ), delivery as (
      update webhook_deliveries set state = ${deliveryState}
      from recorded where webhook_deliveries.id = recorded.delivery_id
    )
    update webhook_subscriptions set
      last_delivery_at = case when ${result.sentAt === null} then last_delivery_at else ${at}::timestamptz end,
      last_delivery_status =
        case when ${result.sentAt === null} then last_delivery_status else ${lastStatus} end,
      is_active = is_active and ${result.deactivates === null},
      inactive_reason = coalesce(${result.deactivates}, inactive_reason)
    from recorded where webhook_subscriptions.id = recorded.subscription_id`;
}

import type { EventType } from '../../domain/webhooks/events.ts';
import type { Queryable } from '../core/client.ts';
import type { FailureLimit } from '../webhooks/attempts/record-attempts.ts';
import { isBefore, type UpcomingQuery } from './upcoming-query.ts';

/** A delivery whose latest attempt failed, and that is attempted again. */
export type WaitingRetry = {
  readonly subscriptionId: string;
  readonly eventId: string;
  readonly eventType: EventType;
  /** The attempts so far. */
  readonly attempts: number;
  readonly at: Date;
};

/**
 * The retries of a vendor that wait, nearest first: of each subscription the nearest ones, from an
 * index. A vendor has few active subscriptions.
 */
export const listWaitingRetries = async (
  sql: Queryable,
  query: UpcomingQuery,
): Promise<readonly WaitingRetry[]> => sql<WaitingRetry[]>`
  select delivery.* from webhook_subscriptions as subscription
  cross join lateral (
    select subscription_id, event_id, event_type, attempts, next_attempt_at as at, id
    from webhook_deliveries
    where subscription_id = subscription.id and state = 'waiting' and next_attempt_at is not null
      -- One that is under way has begun; one of an earlier epoch is about to be cancelled.
      and not is_under_way and epoch = subscription.epoch
      ${isBefore(sql, sql`next_attempt_at`, query)}
    order by next_attempt_at, id limit ${query.limit}
  ) as delivery
  where subscription.vendor_id = ${query.vendorId} and subscription.is_active
  order by delivery.at, delivery.id limit ${query.limit}`;

/** A subscription that only failed lately. */
export type FailingSubscription = {
  readonly subscriptionId: string;
  readonly failingSince: Date;
  readonly deadLetters: number;
  /** Not before then does the gateway deactivate it. */
  readonly at: Date;
};

/**
 * A vendor's active subscriptions that fail, by the earliest instant at which the gateway may
 * deactivate them. Only an attempt makes a dead letter, so not before the next one.
 */
export const listFailingSubscriptions = async (
  sql: Queryable,
  query: UpcomingQuery,
  { failingMs }: FailureLimit,
): Promise<readonly FailingSubscription[]> => sql<FailingSubscription[]>`
  select * from (
    select subscription.id as subscription_id, failing_since, dead_letters,
      greatest(
        failing_since + ${failingMs}::float * interval '1 millisecond', coalesce((
          select next_attempt_at from webhook_deliveries
          where subscription_id = subscription.id and state = 'waiting'
            and next_attempt_at is not null and epoch = subscription.epoch
          order by next_attempt_at limit 1
        ), now())
      ) as at
    from webhook_subscriptions as subscription
    where vendor_id = ${query.vendorId} and is_active and failing_since is not null
  ) as failing
  where true ${isBefore(sql, sql`at`, query)}
  order by at, subscription_id limit ${query.limit}`;

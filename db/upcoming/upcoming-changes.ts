import type { Fragment } from 'postgres';
import type { DueStep, ReturnRequest } from '../../domain/returns/return-request.ts';
import type { Credential } from '../accounts/credentials.ts';
import type { Queryable } from '../core/client.ts';
import { equalTo } from '../lists/page.ts';
import { returnColumns, returnTables, toReturn, type ReturnRow } from '../returns/return-row.ts';
import { inspectionStart, isReceived, isWindowTimed } from '../returns/timed-returns.ts';
import type { FailureLimit } from '../webhooks/attempts/record-attempts.ts';
import type { WebhookDelivery } from '../webhooks/webhook-deliveries.ts';

/** Which changes of one kind to read: a vendor's or (null) all vendors', nearest first. */
export type UpcomingQuery = {
  readonly vendorId: string | null;
  /** Exclusive, RFC 3339 text; null: no bound. */
  readonly before: string | null;
  readonly limit: number;
};

/**
 * An `and` condition for the bound of a query. `ahead` is how far that is ahead of an instant in
 * real time.
 */
export const isBefore = (
  sql: Queryable,
  instant: Fragment,
  { before }: Pick<UpcomingQuery, 'before'>,
  ahead: Fragment | null = null,
): Fragment =>
  before === null
    ? sql``
    : sql`
        and ${instant} < ${before}::text::timestamptz ${ahead === null ? sql`` : sql`- ${ahead}`}`;

/** A step that changes the return. */
type TimedStep = Exclude<DueStep['step'], 'announceClosing'>;

/** The returns to a vendor whose step is next and has a timer; nearest first. */
export async function listDueReturns(
  sql: Queryable,
  step: TimedStep,
  query: UpcomingQuery,
): Promise<readonly ReturnRequest[]> {
  const due = dueReturns(sql, step, query);
  const rows = await sql<ReturnRow[]>`
    select ${returnColumns(sql)} from ${returnTables(sql)}
    where returns.id = any(array(select id from ${due}))`;
  return rows.map(toReturn);
}

/** So far ahead the ends of inspection windows are counted. */
const endsAhead = '8 days';

/** By hour, in UTC: how many inspection windows end; those that are overdue count now. */
export const countInspectionEnds = (
  sql: Queryable,
  vendorId: string | null,
): Promise<readonly { readonly at: Date; readonly count: number }[]> => sql`
  select date_trunc('hour', greatest(inspection_deadline, now()), 'UTC') as at,
    count(*)::int as count
  from return_requests
  where ${isWindowTimed(sql, vendorId)} and inspection_deadline < now() + ${endsAhead}::interval
  group by 1 order by 1`;

function dueReturns(sql: Queryable, step: TimedStep, query: UpcomingQuery): Fragment {
  if (step === 'endWindow') {
    return sql`(
      select id from return_requests where ${isWindowTimed(sql, query.vendorId)}
        ${isBefore(sql, sql`inspection_deadline`, query)}
      order by inspection_deadline, id limit ${query.limit}) as due`;
  }
  const startsAt = sql.unsafe(inspectionStart);
  const bound =
    query.before === null
      ? sql``
      : sql`and ${startsAt} < ${query.before}::text::timestamptz at time zone 'UTC'`;
  return sql`(
    select id from return_requests where ${isReceived(sql, query.vendorId)} ${bound}
    order by ${startsAt}, id limit ${query.limit}) as due`;
}

/** An active credential. */
export type ExpiringCredential = Pick<Credential, 'vendorId' | 'clientId'> & {
  readonly credentialId: string;
  readonly at: Date;
};

/** Active credentials by their expiry; a vendor has at most twenty. */
export const listExpiringCredentials = async (
  sql: Queryable,
  query: UpcomingQuery,
): Promise<readonly ExpiringCredential[]> => sql<ExpiringCredential[]>`
  select id as credential_id, vendor_id, client_id, expires_at as at from credentials
  where is_active ${equalTo(sql, { vendor_id: query.vendorId })} and expires_at > now()
    ${isBefore(sql, sql`expires_at`, query)}
  order by expires_at, id limit ${query.limit}`;

/** How far a vendor's business clock is ahead of real time. */
const aheadOf = (sql: Queryable, vendorId: Fragment): Fragment =>
  sql`(select clock_offset from vendors where vendors.id = ${vendorId})`;

/** A delivery whose latest attempt failed, and that is attempted again. */
export type WaitingRetry = Pick<
  WebhookDelivery,
  'vendorId' | 'subscriptionId' | 'eventId' | 'eventType' | 'attempts'
> & { readonly at: Date };

/**
 * The retries that wait, nearest first. Of a vendor, and of each vendor whose clock is ahead: of
 * each subscription the nearest ones, from an index, because a vendor has few active subscriptions.
 * Of all other vendors from the index of all.
 */
export const listWaitingRetries = async (
  sql: Queryable,
  query: UpcomingQuery,
): Promise<readonly WaitingRetry[]> => {
  /** Stored in real time. */
  const retries = (ahead: Fragment | null, which: Fragment): Fragment => sql`
    select delivery.id, delivery.vendor_id, delivery.subscription_id, delivery.event_id,
      delivery.event_type, delivery.attempts,
      delivery.next_attempt_at ${ahead === null ? sql`` : sql`+ ${ahead}`} as at
    ${which} delivery.subscription_id = subscription.id
      and delivery.listed_state = 'waiting' and delivery.next_attempt_at is not null
      -- One that is under way has begun; one of an earlier epoch is about to be cancelled.
      and not delivery.is_under_way and delivery.epoch = subscription.epoch
      ${isBefore(sql, sql`delivery.next_attempt_at`, query, ahead)}
    order by delivery.next_attempt_at, delivery.id limit ${query.limit}`;
  const isAhead = sql`clock_offset <> '0'`;
  const ofVendors = sql`
    select delivery.* from vendors
    join webhook_subscriptions as subscription on subscription.vendor_id = vendors.id
    cross join lateral (
      ${retries(sql`vendors.clock_offset`, sql`from webhook_deliveries as delivery where`)}
    ) as delivery
    where subscription.is_active
      and ${query.vendorId === null ? isAhead : sql`vendors.id = ${query.vendorId}`}`;
  const ofOthers = sql`(${retries(
    null,
    sql`
      from webhook_deliveries as delivery join webhook_subscriptions as subscription
        on subscription.is_active and not exists (
          select from vendors where vendors.id = delivery.vendor_id and ${isAhead}
        ) and`,
  )})`;
  return sql<WaitingRetry[]>`
    ${ofVendors} ${query.vendorId === null ? sql`union all ${ofOthers}` : sql``}
    order by at, id limit ${query.limit}`;
};

/** A subscription that only failed lately. */
export type FailingSubscription = {
  readonly vendorId: string;
  readonly subscriptionId: string;
  readonly failingSince: Date;
  readonly deadLetters: number;
  /** Not before then does the gateway deactivate it. */
  readonly at: Date;
};

/**
 * Active subscriptions that fail, by the earliest instant at which the gateway may
 * deactivate them. Only an attempt makes a dead letter, so not before the next one.
 */
export const listFailingSubscriptions = async (
  sql: Queryable,
  query: UpcomingQuery,
  { failingMs }: FailureLimit,
): Promise<readonly FailingSubscription[]> => sql<FailingSubscription[]>`
  select * from (
    select subscription.id as subscription_id, vendor_id, dead_letters,
      failing_since + ${aheadOf(sql, sql`vendor_id`)} as failing_since,
      ${aheadOf(sql, sql`vendor_id`)} + greatest(
        failing_since + ${failingMs}::float * interval '1 millisecond', coalesce((
          select next_attempt_at from webhook_deliveries
          where subscription_id = subscription.id and listed_state = 'waiting'
            and next_attempt_at is not null and epoch = subscription.epoch
          order by next_attempt_at limit 1
        ), now())
      ) as at
    from webhook_subscriptions as subscription
    where is_active and failing_since is not null
      ${equalTo(sql, { vendor_id: query.vendorId })}
  ) as failing
  where true ${isBefore(sql, sql`at`, query)}
  order by at, subscription_id limit ${query.limit}`;

import { claimDeliveries, type ClaimedDelivery } from '../../../db/webhooks/delivery-queue.ts';
import { leastId } from '../../../db/checks/waiting-rows.ts';
import { beginAttempts, type BegunAttempt } from '../../../db/webhooks/attempts/begin-attempts.ts';
import {
  recordAttempts,
  type AttemptWithResponse,
  type AttemptResult,
  type FailureLimit,
} from '../../../db/webhooks/attempts/record-attempts.ts';
import type { Queryable, Sql } from '../../../db/core/client.ts';
import type { EventType } from '../../../domain/webhooks/events.ts';
import { emitEvents, newEvent } from '../../../db/webhooks/webhook-events.ts';
import { lockDelivery, redeliver } from '../../../db/webhooks/redelivery.ts';
import { insertSample } from '../../../db/webhooks/webhook-samples.ts';
import { databaseTest } from '../../support/database/database-test.ts';
import { addSubscription, addVendor } from '../support.ts';

// Deliveries as the gateway makes them, and how they stand.

export const eventType: EventType = 'vendor.offer.review-decision';

/** No subscription becomes inactive by itself. */
export const noLimit: FailureLimit = { failingMs: 1e12, deadLetters: 1e6 };

export type Subscriber = { readonly vendorId: string; readonly subscriptionId: string };

/** Gives each test a `subscriber`, and an outbox and a queue without rows. */
export const subscriberTest = databaseTest
  .extend('noMessages', { auto: true }, async ({ sql }) => {
    await sql`truncate outbox, delivery_queue`;
  })
  .extend('subscriber', ({ sql }) => newSubscriber(sql));

/** A vendor with one subscription. */
export async function newSubscriber(sql: Sql): Promise<Subscriber> {
  const vendorId = await addVendor(sql);
  return { vendorId, subscriptionId: await addSubscription(sql, vendorId) };
}

type Vendor = Pick<Subscriber, 'vendorId'> & {
  readonly subscriptionId?: string;
  readonly type?: EventType;
};

/**
 * A given number of events on their way to a vendor's subscription, which is its only one unless it
 * is named; returns their deliveries, the oldest first.
 */
export async function addDeliveries(
  sql: Queryable,
  { vendorId, subscriptionId, type = eventType }: Vendor,
  count = 1,
  data: object = {},
): Promise<readonly string[]> {
  const events = Array.from({ length: count }, () =>
    newEvent({ eventType: type, vendorId, occurredAt: new Date(), data }),
  );
  await emitEvents(sql, ...events);
  const rows = await sql<{ id: string }[]>`
    select id from webhook_deliveries where event_id = any(${events.map(({ id }) => id)})
      and subscription_id = coalesce(${subscriptionId ?? null}, subscription_id)
    order by id`;
  return rows.map(({ id }) => id);
}

/** The same for thousands: the time of a statement grows with the square of its events. */
export async function addManyDeliveries(
  sql: Queryable,
  subscriber: Subscriber,
  count: number,
): Promise<void> {
  for (let left = count; left > 0; left -= 500)
    await addDeliveries(sql, subscriber, Math.min(left, 500));
}

export async function addDelivery(sql: Queryable, to: Vendor, data?: object): Promise<string> {
  const [id] = await addDeliveries(sql, to, 1, data);
  if (id === undefined) throw new Error('the event has no delivery');
  return id;
}

/** A delivery that a vendor's test-fire asked for. */
export async function addSample(
  sql: Sql,
  { vendorId, subscriptionId }: Subscriber,
  type: EventType = eventType,
): Promise<string> {
  const event = newEvent({ eventType: type, vendorId, occurredAt: new Date(), data: {} });
  return sql.begin((transaction) => insertSample(transaction, event, subscriptionId));
}

/** Takes deliveries out of the queue, so that their runs make their attempts. */
export async function leaveQueue(sql: Queryable, ...ids: readonly string[]): Promise<void> {
  await sql`
    with taken as (
      delete from delivery_queue where delivery_id = any(${[...ids]}::uuid[]) returning delivery_id
    )
    update webhook_deliveries set next_attempt_at = now()
    where id in (select delivery_id from taken)`;
}

/** What its run begins of a delivery that may be in the queue. */
export const beginByRun = (sql: Queryable, deliveryId: string, after = 0) =>
  beginAttempts(sql, [{ deliveryId, after }]);

/**
 * Begins one attempt by its run after the attempt of that number; null when it is not to be made.
 */
export async function begin(
  sql: Queryable,
  deliveryId: string,
  after = 0,
): Promise<BegunAttempt | null> {
  await leaveQueue(sql, deliveryId);
  const [begun] = await beginByRun(sql, deliveryId, after);
  return begun ?? null;
}

/** Claims deliveries of the queue. */
export const claim = async (
  sql: Queryable,
  given: Partial<Parameters<typeof claimDeliveries>[1]> = {},
): Promise<readonly ClaimedDelivery[]> => {
  const terms = { walkedTo: leastId, max: 100, ofEach: 100, busy: [], leaseMs: 60_000, ...given };
  return (await claimDeliveries(sql, terms)).deliveries;
};

/** Claims the one delivery that is in the queue. */
export async function mustClaim(sql: Queryable): Promise<ClaimedDelivery> {
  const [one, ...more] = await claim(sql);
  if (one === undefined || more.length > 0) throw new Error('not one delivery was claimed');
  return one;
}

/** The same, where it is to be made. */
export async function mustBegin(...asked: Parameters<typeof begin>): Promise<BegunAttempt> {
  const begun = await begin(...asked);
  if (begun === null) throw new Error('the attempt was not begun');
  return begun;
}

export const at = '2026-01-02T03:04:05.678Z';
export const later = '2026-01-02T03:04:10.678Z';
export const instant = (ms: number): string => new Date(Date.parse(at) + ms).toISOString();

/** The claim that a result is of; nothing for the attempt of a run. */
const claimOf = ({ subscriptionId, queuedAt, fence, claimedAt }: Partial<ClaimedDelivery>) =>
  subscriptionId === undefined ||
  queuedAt === undefined ||
  fence === undefined ||
  claimedAt === undefined
    ? {}
    : { subscriptionId, queuedAt, fence, claimedAt };

/** A failure after which the delivery waits, unless `given` says otherwise. */
export const resultOf = (
  attempt: Pick<BegunAttempt, 'deliveryId' | 'attemptNumber'> & Partial<ClaimedDelivery>,
  given: Partial<AttemptResult> = {},
): AttemptWithResponse => ({
  deliveryId: attempt.deliveryId,
  attemptNumber: attempt.attemptNumber,
  ...claimOf(attempt),
  sentAt: given.at ?? at,
  succeeded: false,
  httpStatus: 500,
  errorSummary: 'http_status 500',
  nextAttemptAt: later,
  state: 'waiting',
  isGone: false,
  at,
  ...given,
});

export const success = {
  succeeded: true,
  httpStatus: 200,
  errorSummary: null,
  state: 'succeeded',
} as const;
export const deadLetter = { state: 'deadLettered' } as const;
export const gone = { state: 'deadLettered', httpStatus: 410, isGone: true } as const;

/** Stores results, whatever the failures before them. */
export const recordAll = (sql: Sql, results: readonly AttemptWithResponse[]) =>
  recordAttempts(sql, results, noLimit);
/** Stores the same result of all these attempts. */
export const record = (
  sql: Sql,
  begun: readonly Parameters<typeof resultOf>[0][],
  given: Partial<AttemptResult> = {},
) =>
  recordAll(
    sql,
    begun.map((each) => resultOf(each, given)),
  );

/** A whole attempt after the attempt of that number. */
export async function attempt(
  sql: Sql,
  deliveryId: string,
  given: Partial<AttemptResult> = {},
  after = 0,
  limit = noLimit,
): Promise<BegunAttempt> {
  const begun = await mustBegin(sql, deliveryId, after);
  await recordAttempts(sql, [resultOf(begun, given)], limit);
  return begun;
}

/** As the routes do: only what waits no more is put back. Returns whether it was. */
export const putBack = (sql: Sql, deliveryId: string): Promise<boolean> =>
  sql.begin(async (transaction) => {
    const locked = await lockDelivery(transaction, { deliveryId });
    if (locked === null || locked.state === 'waiting') return false;
    await redeliver(transaction, locked);
    return true;
  });

/** A dead letter without messages. */
export async function deadLettered(sql: Sql, subscriber: Subscriber): Promise<string> {
  const deliveryId = await addDelivery(sql, subscriber);
  await attempt(sql, deliveryId, deadLetter);
  await sql`delete from outbox where subject_id = ${deliveryId}`;
  return deliveryId;
}

type Standing = {
  readonly state: string;
  readonly attempts: number;
  readonly isUnderWay: boolean;
  readonly deadLetteredAt: Date | null;
};

export async function standing(sql: Queryable, id: string): Promise<Standing> {
  const [row] = await sql<Standing[]>`
    select state, attempts, is_under_way, dead_lettered_at from webhook_deliveries
    where id = ${id}`;
  if (row === undefined) throw new Error(`no delivery ${id}`);
  return row;
}

/** Its attempts: `1 worker_lost`, `2 succeeded`, `3 under way`. */
export async function attemptTexts(sql: Queryable, id: string): Promise<readonly string[]> {
  const rows = await sql<{ attemptTexts: string }[]>`
    select attempt_number || ' ' || case when succeeded then 'succeeded'
      when succeeded is null then 'under way'
      else split_part(error_summary, ':', 1) end as attempt_texts
    from webhook_attempts where delivery_id = ${id} order by attempt_number`;
  return rows.map((row) => row.attemptTexts);
}

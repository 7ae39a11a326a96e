import { beginAttempts, type BegunAttempt } from '../../../db/webhooks/attempts/begin-attempts.ts';
import {
  recordAttempts,
  type AttemptResult,
} from '../../../db/webhooks/attempts/record-attempts.ts';
import type { Sql } from '../../../db/core/client.ts';
import { emitEvents, newEvent } from '../../../db/webhooks/webhook-events.ts';
import type { DeliveryState } from '../../../db/webhooks/webhook-deliveries.ts';
import { insertSample } from '../../../db/webhooks/webhook-samples.ts';
import { eventTypes, type EventType } from '../../../domain/webhooks/events.ts';
import { newVendor, type TestVendor } from '../support/actors.ts';
import {
  call,
  refusal,
  type Answer,
  type Call,
  type Gateway,
  type Method,
} from '../support/api.ts';

/** A vendor with subscriptions, and what its webhook routes answer. */
export type WebhookFixture = {
  readonly vendor: TestVendor;
  /** `path` comes after `/api/v1/webhooks`. */
  readonly send: (
    method: Method,
    path: string,
    body?: Call['body'],
    token?: string,
  ) => Promise<Answer>;
  /** Answers the new subscription's id. */
  readonly subscribe: (types?: readonly EventType[]) => Promise<string>;
};

export const hookUrl = 'https://vendor.example.org/hook';

/** The id of the subscription that create answered. */
export const subscriptionIdOf = ({ payload }: Answer): string =>
  (payload as { subscription: { id: string } }).subscription.id;

/** What a vendor or operator gets for a delivery that may not be redelivered. */
export const notRedeliverable = (reason: string) =>
  refusal('BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE', { reason });
export const noSubscription = refusal('NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION');

export async function newWebhookFixture(gateway: Gateway): Promise<WebhookFixture> {
  const vendor = await newVendor(gateway);
  const send: WebhookFixture['send'] = (method, path, body, token = vendor.token) =>
    call(gateway, method, `/api/v1/webhooks${path}`, { token, body });
  return {
    vendor,
    send,
    subscribe: async (types = eventTypes) => {
      const made = await send('POST', '', { url: hookUrl, eventTypes: types });
      if (made.status !== 201) throw new Error(made.text);
      return subscriptionIdOf(made);
    },
  };
}

/** The stored row, but for its secret. */
export type StoredSubscription = {
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly isActive: boolean;
  readonly inactiveReason: string | null;
  readonly failingSince: Date | null;
  readonly deadLetters: number;
  readonly deletedAt: Date | null;
  readonly secretBytes: number;
};

export async function storedSubscription(sql: Sql, id: string): Promise<StoredSubscription> {
  const [row] = await sql<StoredSubscription[]>`
    select url, event_types, is_active, inactive_reason, failing_since, dead_letters, deleted_at,
      length(secret_sealed) as secret_bytes
    from webhook_subscriptions where id = ${id}`;
  if (row === undefined) throw new Error(`no subscription ${id}`);
  return row;
}

export const activeOf = async (sql: Sql, vendorId: string): Promise<number> =>
  (await sql`select from webhook_subscriptions where vendor_id = ${vendorId} and is_active`).length;

/** An event that has just happened; answers its delivery to the subscription. */
export async function emit(
  sql: Sql,
  vendorId: string,
  subscriptionId: string,
  eventType: EventType = 'vendor.order.assigned',
): Promise<string> {
  const event = newEvent({ eventType, vendorId, occurredAt: new Date(), data: {} });
  await emitEvents(sql, event);
  const [row] = await sql<{ id: string }[]>`
    select id from webhook_deliveries where event_id = ${event.id}
      and subscription_id = ${subscriptionId}`;
  if (row === undefined) throw new Error('the event has no delivery to this subscription');
  return row.id;
}

/** Begins the next attempt of a delivery that waits. */
export async function begin(sql: Sql, deliveryId: string): Promise<BegunAttempt> {
  const [row] = await sql<{ attempts: number }[]>`
    select attempts from webhook_deliveries where id = ${deliveryId}`;
  const [begun] = await beginAttempts(sql, [
    { deliveryId, after: row?.attempts ?? 0, batchId: null },
  ]);
  if (begun === undefined) throw new Error('the attempt could not be begun');
  return begun;
}

export async function record(
  sql: Sql,
  { deliveryId, attemptNumber }: BegunAttempt,
  state: DeliveryState,
  at = new Date().toISOString(),
): Promise<void> {
  const succeeded = state === 'succeeded';
  const result: AttemptResult = {
    deliveryId,
    attemptNumber,
    sentAt: at,
    succeeded,
    httpStatus: succeeded ? 200 : 503,
    errorSummary: succeeded ? null : 'http_status 503',
    nextAttemptAt: at,
    state,
    isGone: false,
    at,
  };
  await recordAttempts(sql, [result], { failingMs: 1e12, deadLetters: 1e6 });
}

/** A whole attempt; answers its id. */
export async function attempt(sql: Sql, deliveryId: string, state: DeliveryState): Promise<string> {
  const begun = await begin(sql, deliveryId);
  await record(sql, begun, state);
  return begun.id;
}

/** A delivery in this state after one attempt. */
export async function delivered(
  sql: Sql,
  vendorId: string,
  subscriptionId: string,
  state: DeliveryState,
): Promise<{ readonly deliveryId: string; readonly attemptId: string }> {
  const deliveryId = await emit(sql, vendorId, subscriptionId);
  return { deliveryId, attemptId: await attempt(sql, deliveryId, state) };
}

export type StoredDelivery = {
  readonly state: string;
  readonly attempts: number;
  readonly isUnderWay: boolean;
  readonly isTest: boolean;
  /** Signals of the messages that wait for the relay, in their order. */
  readonly signals: readonly string[];
  /** Each attempt as the vendor reads it: `1 succeeded`, `2 subscription_inactive`. */
  readonly attemptTexts: readonly string[];
};

export async function storedDelivery(sql: Sql, id: string): Promise<StoredDelivery> {
  const [row] = await sql<Omit<StoredDelivery, 'signals' | 'attemptTexts'>[]>`
    select state, attempts, is_under_way, is_test from webhook_deliveries where id = ${id}`;
  const messages = await sql<{ signal: string }[]>`
    select payload ->> 'signal' as signal from outbox where subject_id = ${id} order by id`;
  const attempts = await sql<{ attemptTexts: string }[]>`
    select attempt_number || ' ' || case when succeeded then 'succeeded'
      when succeeded is null then 'under way'
      else error_summary end as attempt_texts
    from webhook_attempts where delivery_id = ${id} order by attempt_number`;
  if (row === undefined) throw new Error(`no delivery ${id}`);
  return {
    ...row,
    signals: messages.map(({ signal }) => signal),
    attemptTexts: attempts.map(({ attemptTexts }) => attemptTexts),
  };
}

/** A sample whose one attempt failed, as test-fire leaves it. */
export async function firedSample(sql: Sql, vendorId: string, subscriptionId: string) {
  const event = newEvent({
    eventType: 'vendor.order.assigned',
    vendorId,
    occurredAt: new Date(),
    data: {},
  });
  const deliveryId = await sql.begin((transaction) =>
    insertSample(transaction, event, subscriptionId),
  );
  return { deliveryId, attemptId: await attempt(sql, deliveryId, 'failed') };
}

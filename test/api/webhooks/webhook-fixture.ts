import type { BegunAttempt } from '../../../db/webhooks/attempts/begin-attempts.ts';
import type { AttemptWithResponse } from '../../../db/webhooks/attempts/record-attempts.ts';
import type { Sql } from '../../../db/core/client.ts';
import type { DeliveryState } from '../../../db/webhooks/webhook-deliveries.ts';
import { eventTypes, type EventType } from '../../../domain/webhooks/events.ts';
import {
  addDelivery,
  addSample,
  attemptTexts,
  mustBegin,
  record as recordRows,
  standing,
  success,
} from '../../db/webhooks/delivery-rows.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { newOperator, newVendor, tokenWith } from '../../support/api/actors.ts';
import {
  call,
  refusal,
  type ApiResponse,
  type Call,
  type Gateway,
  type Method,
} from '../../support/api/api.ts';

export const hookUrl = 'https://vendor.example.org/hook';
export const orders: EventType = 'vendor.order.assigned';
export const reviews: EventType = 'vendor.offer.review-decision';

/** The id of the subscription that create answered. */
export const subscriptionIdOf = ({ payload }: ApiResponse): string =>
  (payload as { subscription: { id: string } }).subscription.id;

/** What a vendor or operator gets for a delivery that may not be redelivered. */
export const notRedeliverable = (reason: string) =>
  refusal('BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE', { reason });
export const noSubscription = refusal('NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION');
export const noDelivery = refusal('NOT_FOUND_VENDOR_WEBHOOK_DELIVERY');
const reason = 'ACTIVE_LIMIT';
export const activeLimit = refusal('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT', { reason });
const lacking = { requiredCapability: 'Offers', eventType: reviews };
export const lacksOffers = refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', lacking);

/** A vendor with subscriptions, and the calls of its webhook routes. */
export async function newWebhookFixture(gateway: Gateway) {
  const { sql } = gateway;
  const vendor = await newVendor(gateway);
  const { vendorId } = vendor;
  /** `path` comes after `/api/v1/webhooks`. */
  const send = (method: Method, path: string, body?: Call['body'], token = vendor.token) =>
    call(gateway, method, `/api/v1/webhooks${path}`, { token, body });
  /** Creates a subscription to `hookUrl`, with other fields if `body` has them. */
  const create = (body: object = {}, token?: string) =>
    send('POST', '', { url: hookUrl, eventTypes, ...body }, token);
  return {
    sql,
    vendor,
    /** A token of the vendor that lacks the capability of some event types. */
    ordersOnly: tokenWith(gateway, vendor, ['Orders']),
    send,
    create,
    /** Returns the new subscription's id. */
    subscribe: async (types: readonly EventType[] = eventTypes): Promise<string> => {
      const made = await create({ eventTypes: types });
      if (made.status !== 201) throw new Error(made.text);
      return subscriptionIdOf(made);
    },
    update: (id: string, body: unknown, token?: string) => send('PUT', `/${id}`, body, token),
    setActive: (id: string, isActive: unknown) => send('PATCH', `/${id}/active`, { isActive }),
    remove: (id: string, body?: unknown) => send('DELETE', `/${id}`, body),
    rotate: (id: string, body?: unknown, token?: string) =>
      send('POST', `/${id}/rotate-secret`, body, token),
    redeliver: (id: string, attemptId: string, body?: unknown, token?: string) =>
      send('POST', `/${id}/deliveries/${attemptId}/redeliver`, body, token),
    emit: (id: string, eventType?: EventType) => emit(sql, vendorId, id, eventType),
    delivered: (id: string, state: DeliveryState) => delivered(sql, vendorId, id, state),
    fired: (id: string) => firedSample(sql, vendorId, id),
    /** The stored row, but for its secret. */
    stored: async (id: string) => {
      const [row] = await sql<[Record<string, unknown>]>`
        select url, url_changed_at, event_types, is_active, inactive_reason, failing_since,
          dead_letters, deleted_at, length(secret_sealed) as secret_bytes
        from webhook_subscriptions where id = ${id}`;
      return row;
    },
    activeCount: async () =>
      (await sql`select from webhook_subscriptions where vendor_id = ${vendorId} and is_active`)
        .length,
    storedDelivery: (id: string) => storedDelivery(sql, id),
    sealedSecret: async (id: string): Promise<Uint8Array> => {
      const [row] = await sql<[{ secretSealed: Uint8Array }]>`
        select secret_sealed from webhook_subscriptions where id = ${id}`;
      return row.secretSealed;
    },
  };
}
export type WebhookFixture = Awaited<ReturnType<typeof newWebhookFixture>>;

/** Gives each test a vendor, and the id of its subscription to all event types. */
export const webhookTest = gatewayTest
  .extend('fixture', ({ gateway }) => newWebhookFixture(gateway))
  .extend('id', ({ fixture }) => fixture.subscribe());

/** Adds an operator's calls below `/operator/v1/webhook-`, and the audit entries of operators. */
export const operatedTest = webhookTest
  .extend('operator', { scope: 'file' }, ({ gateway }) => newOperator(gateway, ['Operations']))
  .extend('operate', ({ gateway, operator: { token } }) => {
    const headers = { 'x-request-id': 'req-1' };
    return (method: Method, path: string, body?: unknown) =>
      call(gateway, method, `/operator/v1/webhook-${path}`, { token, body, headers });
  })
  .extend(
    'auditOf',
    ({ gateway: { sql } }) =>
      (subjectId: string) => sql`
        select operator_id, action, subject_type, request_id, before, after from audit_log
        where subject_id = ${subjectId} and operator_id is not null order by id`,
  );

/** An event that has just happened; returns its delivery to the subscription. */
export const emit = (
  sql: Sql,
  vendorId: string,
  subscriptionId: string,
  type: EventType = orders,
): Promise<string> => addDelivery(sql, { vendorId, subscriptionId, type });

/** Begins the next attempt of a delivery that waits. */
export const begin = async (sql: Sql, deliveryId: string): Promise<BegunAttempt> =>
  mustBegin(sql, deliveryId, (await standing(sql, deliveryId)).attempts);

/** A success, or a response with status 503, unless `given` says otherwise. */
export async function record(
  sql: Sql,
  begun: BegunAttempt,
  state: DeliveryState,
  given: Partial<AttemptWithResponse> = {},
): Promise<void> {
  const at = given.at ?? new Date().toISOString();
  const failure = { httpStatus: 503, errorSummary: 'http_status 503' };
  const response = state === 'succeeded' ? success : failure;
  await recordRows(sql, [begun], { ...response, nextAttemptAt: at, state, at, ...given });
}

/** A whole attempt; returns its id. */
export async function attempt(
  sql: Sql,
  deliveryId: string,
  state: DeliveryState,
  given?: Partial<AttemptWithResponse>,
): Promise<string> {
  const begun = await begin(sql, deliveryId);
  await record(sql, begun, state, given);
  return begun.id;
}

/** A delivery in this state after one attempt. */
export async function delivered(
  sql: Sql,
  vendorId: string,
  subscriptionId: string,
  state: DeliveryState,
) {
  const deliveryId = await emit(sql, vendorId, subscriptionId);
  return { deliveryId, attemptId: await attempt(sql, deliveryId, state) };
}

/** A sample whose one attempt failed, as test-fire leaves it. */
export async function firedSample(sql: Sql, vendorId: string, subscriptionId: string) {
  const deliveryId = await addSample(sql, { vendorId, subscriptionId }, orders);
  return { deliveryId, attemptId: await attempt(sql, deliveryId, 'failed') };
}

/**
 * The stored row, with the signals of the messages that wait for the relay, `queued` if it is in
 * the queue, and its attempts: `1
 * succeeded`, `2 subscription_inactive`.
 */
export async function storedDelivery(sql: Sql, id: string) {
  type Row = { state: string; attempts: number; isUnderWay: boolean; isTest: boolean };
  const [row] = await sql<[Row & { signals: readonly string[] }]>`
    select state, attempts, is_under_way, is_test, array(
      select payload ->> 'signal' from outbox where subject_id = ${id} order by id)
      || array(select 'queued' from delivery_queue where delivery_id = ${id}) as signals
    from webhook_deliveries where id = ${id}`;
  return { ...row, attemptTexts: await attemptTexts(sql, id) };
}

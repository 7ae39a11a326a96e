import { beforeEach, expect, vi } from 'vitest';
import type { Dependencies } from '../../../../api/dependencies.ts';
import { vendorSide } from '../../../../api/reference/sides.ts';
import { eventTypes, type EventType } from '../../../../domain/webhooks/events.ts';
import { checkUrl, type UrlVerdict } from '../../../../guardrail/url.ts';
import { untilAnyLockWait } from '../../../support/database/locks.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { tokenWith } from '../../support/actors.ts';
import { fieldErrorsOf, refusal, unknownId, type Gateway } from '../../support/api.ts';
import {
  child,
  operationAt,
  readReference,
  requestSchemaOf,
  resolved,
} from '../../support/openapi-document.ts';
import {
  hookUrl,
  newWebhookFixture,
  noSubscription,
  storedSubscription,
  type WebhookFixture,
} from '../webhook-fixture.ts';

// The body has its cases in `../webhook-body.test.ts`, the URL in `test/guardrail/url`.

const orders: EventType = 'vendor.order.assigned';
const reviews: EventType = 'vendor.offer.review-decision';
const other = 'https://other.example.org/hook';
const rules = { allowedPorts: [443], allowedOrigins: [] };
const allowed: UrlVerdict = { kind: 'allowed', url: new URL(other), exempt: false };
const lacksOffers = refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', {
  requiredCapability: 'Offers',
  eventType: reviews,
});

const checkDestination = vi.fn<Dependencies['checkDestination']>();
const test = gatewayTest
  .extend('overrides', { scope: 'file' }, () => ({ checkDestination }))
  .extend('fixture', ({ gateway }) => newWebhookFixture(gateway));

beforeEach(() => {
  checkDestination.mockReset().mockImplementation(async (url) => checkUrl(url, rules));
});

const put = (fixture: WebhookFixture, id: string, body: unknown, token?: string) =>
  fixture.send('PUT', `/${id}`, body, token);
const ordersOnly = (gateway: Gateway, fixture: WebhookFixture) =>
  tokenWith(gateway, fixture.vendor, ['Orders']);
const refuseAll = () => checkDestination.mockResolvedValue({ kind: 'refused', reason: 'anything' });

test('changes what is sent, and answers as a read does', async ({ fixture }) => {
  const id = await fixture.subscribe([orders]);
  const changed = await put(fixture, id, { url: other, eventTypes: [reviews, orders] });
  expect(changed).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(changed.payload).toStrictEqual({
    id,
    vendorId: fixture.vendor.vendorId,
    url: other,
    eventTypes: [reviews, orders],
    isActive: true,
    lastDeliveryAt: null,
    lastDeliveryStatus: null,
    headerNames: [],
    createdAt: expect.stringMatching(/Z$/),
  });
  expect((await fixture.send('GET', `/${id}`)).payload).toEqual(changed.payload);
});

test('changes either field alone, also of an inactive subscription and under /scent', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.subscribe([orders]);
  await fixture.send('PATCH', `/${id}/active`, { isActive: false });
  const response = await gateway.app.inject({
    method: 'PUT',
    url: `/api/v1/scent/webhooks/${id.toUpperCase()}`,
    headers: { authorization: `Bearer ${fixture.vendor.token}` },
    payload: { url: other },
  });
  expect(response.json()).toMatchObject({ payload: { url: other, eventTypes: [orders] } });
  const types = await put(fixture, id, { url: null, eventTypes: [reviews] });
  expect(types.payload).toMatchObject({ url: other, eventTypes: [reviews], isActive: false });
});

test('changes nothing, and judges no URL, for absent and null fields', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.subscribe();
  const before = await fixture.send('GET', `/${id}`);
  const row = await storedSubscription(gateway.sql, id);
  checkDestination.mockClear();
  for (const body of [{}, { url: null, eventTypes: null }]) {
    const answer = await put(fixture, id, body);
    expect([answer.status, answer.payload]).toEqual([200, before.payload]);
  }
  expect(await storedSubscription(gateway.sql, id)).toEqual(row);
  expect(checkDestination).not.toHaveBeenCalled();
});

test('refuses a misshapen body with 400 and a refused URL with 422, and changes nothing', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.subscribe();
  const row = await storedSubscription(gateway.sql, id);
  const misshapen = await put(fixture, id, { url: '/hook', eventTypes: [], isActive: false });
  expect(misshapen).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
  expect(fieldErrorsOf(misshapen)).toEqual([
    'EventTypes required',
    'IsActive unknown_field',
    'Url invalid_url',
  ]);
  expect(await put(fixture, id, { url: 'https:/x', eventTypes: [orders] })).toMatchObject(
    refusal('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT', {
      reason: 'URL_NOT_ALLOWED',
      message: expect.any(String),
    }),
  );
  expect(await storedSubscription(gateway.sql, id)).toEqual(row);
});

test('names the event types in the reference, of create and of update', async ({ gateway }) => {
  const reference = await readReference(gateway.app, vendorSide);
  for (const at of ['POST /api/v1/webhooks', 'PUT /api/v1/webhooks/{id}']) {
    const schema = requestSchemaOf(reference, operationAt(reference, at));
    const list = child(schema, 'properties', 'eventTypes');
    expect(list).toMatchObject({ minItems: 1, uniqueItems: true });
    expect(resolved(reference.document, list['items'])).toMatchObject({ enum: eventTypes });
  }
});

test('does not judge the stored URL again', async ({ fixture }) => {
  const id = await fixture.subscribe([orders]);
  refuseAll();
  expect((await put(fixture, id, { url: hookUrl, eventTypes: [reviews] })).status).toBe(200);
  expect((await put(fixture, id, { url: `${hookUrl}?` })).status).toBe(422);
});

test('requires the capability of added types only, before it judges the URL', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.subscribe([reviews]);
  const putOrdersOnly = (body: unknown) => put(fixture, id, body, ordersOnly(gateway, fixture));
  expect((await putOrdersOnly({ eventTypes: [reviews, orders] })).status).toBe(200);
  expect((await putOrdersOnly({ eventTypes: [orders] })).status).toBe(200);
  checkDestination.mockClear();
  const row = await storedSubscription(gateway.sql, id);
  const added = { url: other, eventTypes: [orders, reviews] };
  expect(await putOrdersOnly(added)).toMatchObject(lacksOffers);
  expect(checkDestination).not.toHaveBeenCalled();
  expect(await storedSubscription(gateway.sql, id)).toEqual(row);
  expect((await put(fixture, id, { eventTypes: [orders, reviews] })).status).toBe(200);
});

/** Makes a call whose lock on the subscription waits for another change of it. */
async function afterOther<T>(
  { sql }: Gateway,
  change: (other: Pick<Gateway, 'sql'>['sql']) => PromiseLike<unknown>,
  call: () => Promise<T>,
): Promise<T> {
  const keeper = await sql.reserve();
  await keeper`begin`;
  await change(keeper);
  const made = call();
  await untilAnyLockWait(sql);
  await keeper`commit`;
  keeper.release();
  return made;
}

test('counts a type as added that a concurrent update has removed', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.subscribe([orders, reviews]);
  const answer = await afterOther(
    gateway,
    (sql) => sql`update webhook_subscriptions set event_types = ${[orders]} where id = ${id}`,
    () => put(fixture, id, { eventTypes: [orders, reviews] }, ordersOnly(gateway, fixture)),
  );
  expect(answer).toMatchObject(lacksOffers);
  expect(await storedSubscription(gateway.sql, id)).toMatchObject({ eventTypes: [orders] });
});

test('judges its URL after all when a concurrent update has stored another', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.subscribe([orders]);
  refuseAll();
  const answer = await afterOther(
    gateway,
    (sql) => sql`update webhook_subscriptions set url = ${other} where id = ${id}`,
    () => put(fixture, id, { url: hookUrl }),
  );
  expect(answer.details).toMatchObject({ reason: 'URL_NOT_ALLOWED' });
  expect(await storedSubscription(gateway.sql, id)).toMatchObject({ url: other });
});

test('locks no row while it judges a URL', async ({ gateway, fixture }) => {
  const id = await fixture.subscribe();
  checkDestination.mockImplementation(async () => {
    const [locked] =
      await gateway.sql`select id from webhook_subscriptions where id = ${id} for update nowait`;
    expect(locked).toEqual({ id });
    return allowed;
  });
  expect((await put(fixture, id, { url: other })).status).toBe(200);
});

test('answers 404 for an unknown, a deleted and no id, before it judges the URL', async ({
  fixture,
}) => {
  const deleted = await fixture.subscribe();
  await fixture.send('DELETE', `/${deleted}`);
  checkDestination.mockClear();
  for (const id of [unknownId(), deleted, '1'])
    expect(await put(fixture, id, { url: 'https://127.0.0.1/' })).toMatchObject(noSubscription);
  expect(checkDestination).not.toHaveBeenCalled();
});

test('requires the capability of each subscribed type for headers and to remove them (D155)', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.subscribe([orders, reviews]);
  const headers = [{ name: 'x-tenant', value: 'one-of-another' }];
  for (const body of [{ headers }, { headers: [] }, { headers: null }])
    expect(await put(fixture, id, body, ordersOnly(gateway, fixture))).toMatchObject(lacksOffers);
  expect((await put(fixture, id, { headers })).status).toBe(200);
});

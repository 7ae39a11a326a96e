import { beforeEach, expect, vi } from 'vitest';
import type { Dependencies } from '../../../../api/dependencies.ts';
import { vendorSide } from '../../../../api/reference/sides.ts';
import { eventTypes, type EventType } from '../../../../domain/webhooks/events.ts';
import { checkUrl, type UrlVerdict } from '../../../../guardrail/url.ts';
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
  storedSubscription,
  type WebhookFixture,
} from '../webhook-fixture.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { untilAnyLockWait } from '../../../support/database/locks.ts';

const orders: EventType = 'vendor.order.assigned';
const reviews: EventType = 'vendor.offer.review-decision';
const allowed: UrlVerdict = {
  kind: 'allowed',
  url: new URL('https://other.example.org/'),
  exempt: false,
};
const other = 'https://other.example.org/hook';

/** The guardrail's own rules on the URL; what a test puts in their place is asked instead. */
let judge: Dependencies['checkDestination'] | null = null;
const rules = { allowedPorts: [443], allowedOrigins: [] };
const checkDestination = vi.fn<Dependencies['checkDestination']>((url) =>
  judge === null ? Promise.resolve(checkUrl(url, rules)) : judge(url),
);

const test = gatewayTest
  .extend('overrides', { scope: 'file' }, () => ({ checkDestination }))
  .extend('fixture', ({ gateway }) => newWebhookFixture(gateway));

beforeEach(() => {
  judge = null;
});

const put = (fixture: WebhookFixture, id: string, body: unknown, token?: string) =>
  fixture.send('PUT', `/${id}`, body, token);
const ordersOnly = (gateway: Gateway, fixture: WebhookFixture) =>
  tokenWith(gateway, fixture.vendor, ['Orders']);

test('what is sent is changed, and all of it is answered as a read answers it', async ({
  fixture,
}) => {
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

test('the path under /scent is the same route', async ({ gateway, fixture }) => {
  const id = await fixture.subscribe([orders]);
  const response = await gateway.app.inject({
    method: 'PUT',
    url: `/api/v1/scent/webhooks/${id.toUpperCase()}`,
    headers: { authorization: `Bearer ${fixture.vendor.token}` },
    payload: { url: other },
  });
  expect(response.statusCode).toBe(200);
  expect(await storedSubscription(gateway.sql, id)).toMatchObject({
    url: other,
    eventTypes: [orders],
  });
});

test.for([{}, { url: null }, { eventTypes: null }, { url: null, eventTypes: null }])(
  '%j leaves it unchanged, and no URL is judged',
  async (body, { gateway, fixture }) => {
    const id = await fixture.subscribe();
    const before = await fixture.send('GET', `/${id}`);
    const row = await storedSubscription(gateway.sql, id);
    checkDestination.mockClear();
    const answer = await put(fixture, id, body);
    expect([answer.status, answer.payload]).toEqual([200, before.payload]);
    expect(await storedSubscription(gateway.sql, id)).toEqual(row);
    expect(checkDestination).not.toHaveBeenCalled();
  },
);

test('each may be changed alone, also of an inactive subscription', async ({ fixture }) => {
  const id = await fixture.subscribe([orders]);
  await fixture.send('PATCH', `/${id}/active`, { isActive: false });
  expect((await put(fixture, id, { url: other })).payload).toMatchObject({
    url: other,
    eventTypes: [orders],
  });
  const types = await put(fixture, id, { url: null, eventTypes: [reviews] });
  expect(types.payload).toMatchObject({ url: other, eventTypes: [reviews], isActive: false });
});

test.for<[unknown, readonly string[]]>([
  [{ eventTypes: [] }, ['EventTypes required']],
  [{ eventTypes: [orders, orders] }, ['EventTypes duplicate']],
  [{ eventTypes: [orders, 'nope'] }, ['EventTypes[1] not_allowed']],
  [{ eventTypes: orders }, ['EventTypes invalid_type']],
  [{ eventTypes: Array.from({ length: 101 }, () => orders) }, ['EventTypes too_long']],
  [{ url: 5 }, ['Url invalid_type']],
  [{ url: `https://vendor.example.org/${'x'.repeat(2048)}` }, ['Url too_long']],
  [
    { url: other, isActive: false, secret: 'mine' },
    ['IsActive unknown_field', 'Secret unknown_field'],
  ],
] as const)(
  'the body %.60j is 400, and nothing is changed: %j',
  async ([body, errors], { gateway, fixture }) => {
    const id = await fixture.subscribe();
    const row = await storedSubscription(gateway.sql, id);
    const answer = await put(fixture, id, body);
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
    expect(fieldErrorsOf(answer)).toEqual(errors);
    expect(await storedSubscription(gateway.sql, id)).toEqual(row);
  },
);

test('the reference says which event types there are, on create and on update', async ({
  gateway,
}) => {
  const reference = await readReference(gateway.app, vendorSide);
  for (const at of ['POST /api/v1/webhooks', 'PUT /api/v1/webhooks/{id}']) {
    const schema = requestSchemaOf(reference, operationAt(reference, at));
    const list = child(schema, 'properties', 'eventTypes');
    expect(list).toMatchObject({ minItems: 1, uniqueItems: true });
    expect(resolved(reference.document, list['items'])).toMatchObject({ enum: eventTypes });
  }
});

test('a changed URL is judged: no URL is 400, one that the guardrail refuses is 422', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.subscribe();
  const row = await storedSubscription(gateway.sql, id);
  for (const url of ['', '/hook', 'not a url']) {
    const answer = await put(fixture, id, { url, eventTypes: [orders] });
    expect([answer.status, fieldErrorsOf(answer)]).toEqual([400, ['Url invalid_url']]);
  }
  for (const url of ['http://vendor.example.org/', 'https://127.0.0.1/', 'https:/x']) {
    expect(await put(fixture, id, { url, eventTypes: [orders] })).toMatchObject(
      refusal('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT', {
        reason: 'URL_NOT_ALLOWED',
        message: expect.any(String),
      }),
    );
  }
  expect(await storedSubscription(gateway.sql, id)).toEqual(row);
});

test('the URL that it has is not judged again, whatever the guardrail would say now', async ({
  fixture,
}) => {
  const id = await fixture.subscribe([orders]);
  judge = () => Promise.resolve({ kind: 'refused', reason: 'anything' });
  checkDestination.mockClear();
  expect((await put(fixture, id, { url: hookUrl, eventTypes: [reviews] })).status).toBe(200);
  expect(checkDestination).not.toHaveBeenCalled();
  expect((await put(fixture, id, { url: `${hookUrl}?` })).status).toBe(422);
});

test('only types that are added ask for their capability, before the URL is looked at', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.subscribe([reviews]);
  const lacking = refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', {
    requiredCapability: 'Offers',
    eventType: reviews,
  });
  // It is there already.
  expect(
    (await put(fixture, id, { eventTypes: [reviews, orders] }, ordersOnly(gateway, fixture)))
      .status,
  ).toBe(200);
  expect(
    (await put(fixture, id, { eventTypes: [orders] }, ordersOnly(gateway, fixture))).status,
  ).toBe(200);
  checkDestination.mockClear();
  expect(
    await put(
      fixture,
      id,
      { url: other, eventTypes: [orders, reviews] },
      ordersOnly(gateway, fixture),
    ),
  ).toMatchObject(lacking);
  expect(checkDestination).not.toHaveBeenCalled();
  expect(await storedSubscription(gateway.sql, id)).toMatchObject({
    url: hookUrl,
    eventTypes: [orders],
  });
  expect((await put(fixture, id, { eventTypes: [orders, reviews] })).status).toBe(200);
});

test('a type that was taken away meanwhile counts as added: the locked row decides', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.subscribe([orders, reviews]);
  const keeper = await gateway.sql.reserve();
  await keeper`begin`;
  await keeper`update webhook_subscriptions set event_types = ${[orders]} where id = ${id}`;
  // Both types are there still, as far as it can see; it comes to the row after the other change.
  const asked = put(fixture, id, { eventTypes: [orders, reviews] }, ordersOnly(gateway, fixture));
  await untilAnyLockWait(gateway.sql);
  await keeper`commit`;
  keeper.release();
  expect(await asked).toMatchObject(
    refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', {
      requiredCapability: 'Offers',
      eventType: reviews,
    }),
  );
  expect(await storedSubscription(gateway.sql, id)).toMatchObject({
    url: hookUrl,
    eventTypes: [orders],
  });
});

test('no row is locked while a URL is judged', async ({ gateway, fixture }) => {
  const id = await fixture.subscribe();
  judge = async () => {
    const [locked] =
      await gateway.sql`select id from webhook_subscriptions where id = ${id} for update nowait`;
    expect(locked).toEqual({ id });
    return allowed;
  };
  expect((await put(fixture, id, { url: other })).status).toBe(200);
});

test('a URL that has become a change meanwhile is judged then', async ({ gateway, fixture }) => {
  const id = await fixture.subscribe([orders]);
  const keeper = await gateway.sql.reserve();
  await keeper`begin`;
  await keeper`update webhook_subscriptions set url = ${other} where id = ${id}`;
  judge = () => Promise.resolve({ kind: 'refused', reason: 'anything' });
  checkDestination.mockClear();
  // Its own URL still, as far as it can see; it comes to the row only after the other change.
  const asked = put(fixture, id, { url: hookUrl });
  await untilAnyLockWait(gateway.sql);
  expect(checkDestination).not.toHaveBeenCalled();
  await keeper`commit`;
  keeper.release();
  expect((await asked).details).toMatchObject({ reason: 'URL_NOT_ALLOWED' });
  expect(await storedSubscription(gateway.sql, id)).toMatchObject({ url: other });
});

test('an unknown, deleted or foreign id and no uuid are one 404, before the URL check', async ({
  gateway,
  fixture,
}) => {
  const stranger = await newWebhookFixture(gateway);
  const deleted = await fixture.subscribe();
  await fixture.send('DELETE', `/${deleted}`);
  const theirs = await stranger.subscribe();
  checkDestination.mockClear();
  for (const id of [unknownId(), deleted, theirs, '1']) {
    const answer = await put(fixture, id, { url: 'https://127.0.0.1/' });
    expect(answer).toMatchObject(refusal('NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION'));
  }
  expect(checkDestination).not.toHaveBeenCalled();
  expect(await storedSubscription(gateway.sql, theirs)).toMatchObject({ url: hookUrl });
});

// D155.
test('headers need the capability of each subscribed type, also to remove them', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.subscribe([orders, reviews]);
  const lacking = refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', {
    requiredCapability: 'Offers',
    eventType: reviews,
  });
  const headers = [{ name: 'x-tenant', value: 'one-of-another' }];
  for (const body of [{ headers }, { headers: [] }, { headers: null }])
    expect(await put(fixture, id, body, ordersOnly(gateway, fixture))).toMatchObject(lacking);
  expect((await put(fixture, id, { headers })).status).toBe(200);
});

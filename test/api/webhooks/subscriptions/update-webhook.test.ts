import { beforeEach, expect, vi } from 'vitest';
import type { Dependencies } from '../../../../api/dependencies.ts';
import { emitEvents, newEvent } from '../../../../db/webhooks/webhook-events.ts';
import { checkUrl } from '../../../../guardrail/url.ts';
import { openHeaders } from '../../../../security/webhook-headers.ts';
import { meets } from '../../../support/database/locks.ts';
import { call, fieldErrorsOf, refusal, type Gateway } from '../../../support/api/api.ts';
import {
  attempt,
  hookUrl,
  lacksOffers,
  newWebhookFixture,
  noSubscription,
  orders,
  reviews,
  subscriptionIdOf,
  webhookTest,
  type WebhookFixture,
} from '../webhook-fixture.ts';

// URL, event types and custom headers (D97) of a subscription, and the capabilities that a change
// requires (D155). The body has its cases in `../webhook-body.test.ts`, the URL in
// `test/guardrail/url`.

const other = 'https://other.example.org/hook';
const checkDestination = vi.fn<Dependencies['checkDestination']>();
const test = webhookTest.extend('overrides', { scope: 'file' }, () => ({ checkDestination }));

beforeEach(() => {
  checkDestination
    .mockReset()
    .mockImplementation(async (url) => checkUrl(url, { allowedPorts: [443], allowedOrigins: [] }));
});
const refuseAll = () => checkDestination.mockResolvedValue({ kind: 'refused', reason: 'anything' });

test('changes both fields or either, also of an inactive subscription and under /scent', async ({
  gateway,
  fixture: { subscribe, setActive, update, send, vendor },
}) => {
  const id = await subscribe([orders]);
  const changed = await update(id, { url: other, eventTypes: [reviews, orders] });
  expect(changed).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(changed.payload).toMatchObject({ url: other, eventTypes: [reviews, orders] });
  expect((await send('GET', `/${id}`)).payload).toStrictEqual(changed.payload);
  await setActive(id, false);
  const url = `/api/v1/scent/webhooks/${id.toUpperCase()}`;
  const alias = await call(gateway, 'PUT', url, { token: vendor.token, body: { url: hookUrl } });
  expect(alias.payload).toMatchObject({ url: hookUrl, eventTypes: [reviews, orders] });
  const types = await update(id, { url: null, eventTypes: [reviews] });
  expect(types.payload).toMatchObject({ url: hookUrl, eventTypes: [reviews], isActive: false });
});

test.for([{}, { url: null, eventTypes: null }])(
  '%j changes nothing',
  async (body, { fixture, id }) => {
    const { payload } = await fixture.send('GET', `/${id}`);
    refuseAll();
    expect(await fixture.update(id, body)).toMatchObject({ status: 200, payload });
  },
);

test('judges another URL than the stored one', async ({ fixture: { update, stored }, id }) => {
  refuseAll();
  expect((await update(id, { url: hookUrl, eventTypes: [reviews] })).status).toBe(200);
  const before = await stored(id);
  const details = { reason: 'URL_NOT_ALLOWED', message: 'anything' };
  expect(await update(id, { url: `${hookUrl}?`, eventTypes: [orders] })).toMatchObject(
    refusal('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT', details),
  );
  expect(await stored(id)).toEqual(before);
});

test('locks no row while it judges a URL', async ({ fixture: { update, sql }, id }) => {
  checkDestination.mockImplementation(async () => {
    await sql`select from webhook_subscriptions where id = ${id} for update nowait`;
    return { kind: 'allowed', url: new URL(other), exempt: false };
  });
  expect((await update(id, { url: other })).status).toBe(200);
});

test('answers 404 before it judges a URL', async ({ fixture: { remove, update }, id: deleted }) => {
  await remove(deleted);
  const answer = await update(deleted, { url: 'https://127.0.0.1/' });
  expect(answer).toMatchObject(noSubscription);
});

test('requires the capability of added types only, before it judges the URL', async ({
  fixture: { subscribe, update, stored, ordersOnly },
}) => {
  const id = await subscribe([reviews]);
  for (const eventTypes of [[reviews, orders], [orders]])
    expect((await update(id, { eventTypes }, ordersOnly)).status).toBe(200);
  const before = await stored(id);
  const added = { url: 'https://127.0.0.1/', eventTypes: [orders, reviews] };
  expect(await update(id, added, ordersOnly)).toMatchObject(lacksOffers);
  expect(await stored(id)).toEqual(before);
  expect((await update(id, { eventTypes: [orders, reviews] })).status).toBe(200);
});

test('counts a type as added that a concurrent update has removed', async ({
  gateway,
  fixture: { subscribe, update, stored, ordersOnly },
}) => {
  const id = await subscribe([orders, reviews]);
  const answer = await meets(
    gateway.sql,
    (sql) => sql`update webhook_subscriptions set event_types = ${[orders]} where id = ${id}`,
    () => update(id, { eventTypes: [orders, reviews] }, ordersOnly),
  );
  expect(answer).toMatchObject(lacksOffers);
  expect(await stored(id)).toMatchObject({ eventTypes: [orders] });
});

test('judges a URL that has changed', async ({ gateway, fixture: { update, stored }, id }) => {
  refuseAll();
  const answer = await meets(
    gateway.sql,
    (sql) => sql`update webhook_subscriptions set url = ${other} where id = ${id}`,
    () => update(id, { url: hookUrl }),
  );
  expect(answer.details).toMatchObject({ reason: 'URL_NOT_ALLOWED' });
  expect(await stored(id)).toMatchObject({ url: other });
});

const headers = [{ name: 'x-tenant', value: 'one-of-another' }];
const byUpdate =
  (body: object) =>
  ({ update }: WebhookFixture, id: string, token?: string) =>
    update(id, body, token);
/** Changes that send events elsewhere, or as another account. */
const newTargets = [
  byUpdate({ url: other }),
  byUpdate({ url: other, eventTypes: [orders] }),
  byUpdate({ headers }),
  byUpdate({ headers: [] }),
  byUpdate({ headers: null }),
  ({ rotate }: WebhookFixture, id: string, token?: string) => rotate(id, undefined, token),
];

test.for(newTargets)(
  'requires the capability of each subscribed type for change %$ of the target',
  async (change, { fixture }) => {
    const id = await fixture.subscribe([orders, reviews]);
    const before = [await fixture.stored(id), await fixture.sealedSecret(id)];
    expect(await change(fixture, id, fixture.ordersOnly)).toMatchObject(lacksOffers);
    expect([await fixture.stored(id), await fixture.sealedSecret(id)]).toEqual(before);
    // The stored URL is no change, and types may be taken away.
    const same = { url: hookUrl, eventTypes: [orders] };
    expect((await fixture.update(id, same, fixture.ordersOnly)).status).toBe(200);
    expect((await change(fixture, id, fixture.ordersOnly)).status).toBe(200);
  },
);

/** A subscription to both types with an event about a review, whose type it then loses. */
async function withRemovedType({ subscribe, emit, update }: WebhookFixture) {
  const id = await subscribe([orders, reviews]);
  const deliveryId = await emit(id, reviews);
  expect((await update(id, { eventTypes: [orders] })).status).toBe(200);
  return { id, deliveryId };
}

// An operator may recover a dead letter.
test.for(['waiting', 'deadLettered', 'succeeded'] as const)(
  'requires the capability of a removed type whose delivery is %s, unless it succeeded',
  async (state, { fixture }) => {
    const { id, deliveryId } = await withRemovedType(fixture);
    await attempt(fixture.sql, deliveryId, state);
    for (const change of [byUpdate({ url: other }), newTargets.at(-1)]) {
      const answer = await change?.(fixture, id, fixture.ordersOnly);
      expect(answer).toMatchObject(state === 'succeeded' ? { status: 200 } : lacksOffers);
      expect((await change?.(fixture, id))?.status).toBe(200);
    }
  },
);

test('waits for an event that is being written while its type is removed', async ({
  gateway,
  fixture: { subscribe, update, vendor, ordersOnly },
}) => {
  const id = await subscribe([orders, reviews]);
  const { vendorId } = vendor;
  const answer = await meets(
    gateway.sql,
    async (decision) => {
      // As the transaction of a review does: the change of the offer, then the event.
      await decision`select offer_change_time(${vendorId})`;
      const event = newEvent({ eventType: reviews, vendorId, occurredAt: new Date(), data: {} });
      await emitEvents(decision, event);
      expect((await update(id, { eventTypes: [orders] }, ordersOnly)).status).toBe(200);
    },
    () => update(id, { url: other }, ordersOnly),
  );
  expect(answer).toMatchObject(lacksOffers);
});

test('requires the capability of a removed type for a redelivery', async ({ fixture }) => {
  const { id, deliveryId } = await withRemovedType(fixture);
  const attemptId = await attempt(fixture.sql, deliveryId, 'succeeded');
  const answer = await fixture.redeliver(id, attemptId, undefined, fixture.ordersOnly);
  expect(answer).toMatchObject(lacksOffers);
  expect(await fixture.storedDelivery(deliveryId)).toMatchObject({ state: 'succeeded' });
  expect((await fixture.redeliver(id, attemptId)).status).toBe(200);
});

const value = 'Bearer a-value-that-no-answer-has';
const named = [
  { name: 'Authorization', value },
  { name: 'x-tenant', value: 't-17' },
];
const headerNames = ['authorization', 'x-tenant'];

/** A subscription with headers. */
const headerTest = test.extend('subscribed', async ({ gateway }) => {
  const fixture = await newWebhookFixture(gateway);
  const made = await fixture.create({ headers: named });
  const id = subscriptionIdOf(made);
  return { ...fixture, made, id, put: (body: object) => fixture.update(id, body) };
});

/** What the row has, opened. */
async function storedHeaders({ sql, dependencies }: Gateway, id: string) {
  const [row] = await sql<[{ sealed: Uint8Array | null; text: string }]>`
    select headers_sealed as sealed, webhook_subscriptions::text as text
    from webhook_subscriptions where id = ${id}`;
  return { ...row, headers: openHeaders(dependencies.sealer, row.sealed, id) };
}

headerTest(
  'stores headers sealed, answers their names only, and deletes them',
  async ({ gateway, subscribed: { send, remove, made, id } }) => {
    expect(made).toMatchObject({ status: 201, payload: { subscription: { headerNames } } });
    const row = await storedHeaders(gateway, id);
    expect(row.headers).toEqual({ authorization: value, 'x-tenant': 't-17' });
    const [{ entries }] = await gateway.sql<[{ entries: string }]>`
    select string_agg(audit_log::text, ',') as entries from audit_log where subject_id = ${id}`;
    const [list, read] = [await send('GET', ''), await send('GET', `/${id}`)];
    expect(read.payload).toMatchObject({ headerNames });
    for (const text of [made.text, read.text, list.text, row.text, entries])
      expect(text).not.toContain('no-answer-has');
    expect(entries).toContain('x-tenant');
    await remove(id);
    expect((await storedHeaders(gateway, id)).sealed).toBeNull();
  },
);

headerTest(
  'keeps headers, replaces them, or removes them by null or an empty list',
  async ({ gateway, subscribed: { id, put } }) => {
    const now = async () => (await storedHeaders(gateway, id)).headers;
    expect((await put({ eventTypes: [orders] })).payload).toMatchObject({ headerNames });
    expect(await now()).toEqual({ authorization: value, 'x-tenant': 't-17' });
    for (const none of [null, []]) {
      const given = await put({ headers: [{ name: 'X-New', value: '1' }] });
      expect(given.payload).toMatchObject({ headerNames: ['x-new'] });
      expect(await now()).toEqual({ 'x-new': '1' });
      expect((await put({ headers: none })).payload).toMatchObject({ headerNames: [] });
      expect(await now()).toEqual({});
    }
  },
);

headerTest(
  'sends stored values to another origin only after they are sent again',
  async ({ subscribed: { send, id, put } }) => {
    const refused = await put({ url: other });
    expect([refused.status, fieldErrorsOf(refused)]).toEqual([400, ['Headers required']]);
    expect((await send('GET', `/${id}`)).payload).toMatchObject({ url: hookUrl });
    // Another path of the same receiver.
    expect((await put({ url: `${hookUrl}/2` })).status).toBe(200);
    expect((await put({ url: other, headers: named })).payload).toMatchObject({ headerNames });
    expect((await put({ url: hookUrl, headers: null })).payload).toMatchObject({ headerNames: [] });
    expect((await put({ url: other })).status).toBe(200);
  },
);

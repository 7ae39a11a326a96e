import { beforeEach, expect, vi } from 'vitest';
import type { Dependencies } from '../../../../api/dependencies.ts';
import { emitEvents, newEvent } from '../../../../db/webhooks/webhook-events.ts';
import { checkUrl } from '../../../../guardrail/url.ts';
import { openHeaders } from '../../../../security/webhook-headers.ts';
import { meets } from '../../../support/database/locks.ts';
import { call, fieldErrorsOf, refusal } from '../../../support/api/api.ts';
import {
  attempt,
  hookUrl,
  lacksOffers,
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
const value = 'Bearer a-value-that-no-response-has';
const named = [
  { name: 'Authorization', value },
  { name: 'x-tenant', value: 't-17' },
];
const headerNames = ['authorization', 'x-tenant'];
const test = webhookTest
  .extend('overrides', { scope: 'file' }, () => ({ checkDestination }))
  /** A subscription with headers. */
  .extend('made', ({ fixture }) => fixture.create({ headers: named }))
  .extend(
    'put',
    ({ fixture, made }) =>
      (body: object) =>
        fixture.update(subscriptionIdOf(made), body),
  )
  /** The headers of its row, opened. */
  .extend('storedHeaders', ({ gateway: { sql, dependencies }, made }) => async () => {
    const id = subscriptionIdOf(made);
    const [row] = await sql<[{ sealed: Uint8Array | null }]>`
      select headers_sealed as sealed from webhook_subscriptions where id = ${id}`;
    return openHeaders(dependencies.sealer, row.sealed, id);
  });

beforeEach(() => {
  checkDestination
    .mockReset()
    .mockImplementation(async (url) => checkUrl(url, { allowedPorts: [443], allowedOrigins: [] }));
});
const refuseAll = () => checkDestination.mockResolvedValue({ kind: 'refused', reason: 'anything' });

test('changes both fields or either, also while inactive', async ({ gateway, fixture }) => {
  const { subscribe, setActive, update, send, vendor } = fixture;
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

test('resets failures with another URL only', async ({ fixture: { sql, update, stored }, id }) => {
  await sql`
    update webhook_subscriptions set failing_since = now(), dead_letters = 3 where id = ${id}`;
  await update(id, { url: hookUrl, eventTypes: [orders] });
  const kept = { failingSince: expect.any(Date), deadLetters: 3, urlChangedAt: null };
  expect(await stored(id)).toMatchObject(kept);
  await update(id, { url: other });
  const reset = { failingSince: null, deadLetters: 0, urlChangedAt: expect.any(Date) };
  expect(await stored(id)).toMatchObject(reset);
});

test('judges only another URL than the stored one', async ({ fixture: { update, stored }, id }) => {
  refuseAll();
  const unchanged = await stored(id);
  for (const body of [{}, { url: null, eventTypes: null }, { url: hookUrl }]) {
    expect((await update(id, body)).status).toBe(200);
    expect(await stored(id)).toEqual(unchanged);
  }
  const details = { reason: 'URL_NOT_ALLOWED', message: 'anything' };
  expect(await update(id, { url: `${hookUrl}?`, eventTypes: [orders] })).toMatchObject(
    refusal('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT', details),
  );
  expect(await stored(id)).toEqual(unchanged);
});

test('locks no row while it judges a URL', async ({ fixture: { update, sql }, id }) => {
  checkDestination.mockImplementation(async () => {
    await sql`select from webhook_subscriptions where id = ${id} for update nowait`;
    return { kind: 'allowed', url: new URL(other), exempt: false };
  });
  expect((await update(id, { url: other })).status).toBe(200);
});

test('requires the capability of added types, before it judges the URL', async ({ fixture }) => {
  const { subscribe, update, stored, ordersOnly } = fixture;
  const id = await subscribe([reviews]);
  for (const eventTypes of [[reviews, orders], [orders]])
    expect((await update(id, { eventTypes }, ordersOnly)).status).toBe(200);
  const before = await stored(id);
  const added = { url: 'https://127.0.0.1/', eventTypes: [orders, reviews] };
  expect(await update(id, added, ordersOnly)).toMatchObject(lacksOffers);
  expect(await stored(id)).toEqual(before);
  expect((await update(id, { eventTypes: [orders, reviews] })).status).toBe(200);
});

test('counts a type as added that a concurrent update has removed', async ({ fixture }) => {
  const { subscribe, update, stored, ordersOnly } = fixture;
  const id = await subscribe([orders, reviews]);
  const response = await meets(
    fixture.sql,
    (sql) => sql`update webhook_subscriptions set event_types = ${[orders]} where id = ${id}`,
    () => update(id, { eventTypes: [orders, reviews] }, ordersOnly),
  );
  expect(response).toMatchObject(lacksOffers);
  expect(await stored(id)).toMatchObject({ eventTypes: [orders] });
});

test('judges a URL after a concurrent change', async ({ fixture: { sql, update, stored }, id }) => {
  refuseAll();
  const response = await meets(
    sql,
    (change) => change`update webhook_subscriptions set url = ${other} where id = ${id}`,
    () => update(id, { url: hookUrl }),
  );
  expect(response.details).toMatchObject({ reason: 'URL_NOT_ALLOWED' });
  expect(await stored(id)).toMatchObject({ url: other });
});

const headers = [{ name: 'x-tenant', value: 'one-of-another' }];
/** Changes that send events elsewhere, or as another account: updates, and a rotation. */
const newTargets = [
  { url: other },
  { url: other, eventTypes: [orders] },
  { headers },
  { headers: [] },
  { headers: null },
  'rotation',
] as const;
const changeTarget = (
  { update, rotate }: WebhookFixture,
  id: string,
  change: (typeof newTargets)[number],
  token?: string,
) => (change === 'rotation' ? rotate(id, undefined, token) : update(id, change, token));

test.for(newTargets)(
  'requires the capability of each subscribed type for the change %j of the target',
  async (change, { fixture }) => {
    const { ordersOnly, stored, sealedSecret } = fixture;
    const id = await fixture.subscribe([orders, reviews]);
    const before = [await stored(id), await sealedSecret(id)];
    expect(await changeTarget(fixture, id, change, ordersOnly)).toMatchObject(lacksOffers);
    expect([await stored(id), await sealedSecret(id)]).toEqual(before);
    // The stored URL is no change, and types may be taken away.
    const same = { url: hookUrl, eventTypes: [orders] };
    expect((await fixture.update(id, same, ordersOnly)).status).toBe(200);
    expect((await changeTarget(fixture, id, change, ordersOnly)).status).toBe(200);
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
    for (const change of [{ url: other }, 'rotation'] as const) {
      const response = await changeTarget(fixture, id, change, fixture.ordersOnly);
      expect(response).toMatchObject(state === 'succeeded' ? { status: 200 } : lacksOffers);
      expect((await changeTarget(fixture, id, change)).status).toBe(200);
    }
  },
);

test('waits with a new URL until an event of a removed type is written', async ({ fixture }) => {
  const { subscribe, update, ordersOnly } = fixture;
  const id = await subscribe([orders, reviews]);
  const { vendorId } = fixture.vendor;
  const response = await meets(
    fixture.sql,
    async (decision) => {
      // As the transaction of a review does: the change of the offer, then the event.
      await decision`select offer_change_time(${vendorId})`;
      const event = newEvent({ eventType: reviews, vendorId, occurredAt: new Date(), data: {} });
      await emitEvents(decision, event);
      expect((await update(id, { eventTypes: [orders] }, ordersOnly)).status).toBe(200);
    },
    () => update(id, { url: other }, ordersOnly),
  );
  expect(response).toMatchObject(lacksOffers);
});

test('requires the capability of a removed type for its redelivery', async ({ fixture }) => {
  const { id, deliveryId } = await withRemovedType(fixture);
  const attemptId = await attempt(fixture.sql, deliveryId, 'succeeded');
  const response = await fixture.redeliver(id, attemptId, undefined, fixture.ordersOnly);
  expect(response).toMatchObject(lacksOffers);
  expect(await fixture.storedDelivery(deliveryId)).toMatchObject({ state: 'succeeded' });
  expect((await fixture.redeliver(id, attemptId)).status).toBe(200);
});

test('stores headers sealed, and returns their names', async ({ fixture, made, storedHeaders }) => {
  const { sql, send, remove } = fixture;
  const id = subscriptionIdOf(made);
  expect(made).toMatchObject({ status: 201, payload: { subscription: { headerNames } } });
  expect(await storedHeaders()).toEqual({ authorization: value, 'x-tenant': 't-17' });
  const [row] = await sql<[{ row: string; entries: string }]>`
    select webhook_subscriptions::text as row, (
      select string_agg(audit_log::text, ',') from audit_log where subject_id = ${id}) as entries
    from webhook_subscriptions where id = ${id}`;
  const [list, read] = [await send('GET', ''), await send('GET', `/${id}`)];
  expect(read.payload).toMatchObject({ headerNames });
  for (const text of [made.text, read.text, list.text, row.row, row.entries])
    expect(text).not.toContain('no-response-has');
  expect(row.entries).toContain('x-tenant');
  await remove(id);
  expect(await storedHeaders()).toEqual({});
});

test('keeps, replaces or removes headers', async ({ put, storedHeaders }) => {
  expect((await put({ eventTypes: [orders] })).payload).toMatchObject({ headerNames });
  expect(await storedHeaders()).toEqual({ authorization: value, 'x-tenant': 't-17' });
  for (const none of [null, []]) {
    const given = await put({ headers: [{ name: 'X-New', value: '1' }] });
    expect(given.payload).toMatchObject({ headerNames: ['x-new'] });
    expect(await storedHeaders()).toEqual({ 'x-new': '1' });
    expect((await put({ headers: none })).payload).toMatchObject({ headerNames: [] });
    expect(await storedHeaders()).toEqual({});
  }
});

test('sends stored values to another origin only if they are sent again', async ({ put }) => {
  expect(fieldErrorsOf(await put({ url: other }))).toEqual(['Headers required']);
  // Another path of the same receiver, as the stored URL is kept.
  const moved = await put({ url: `${hookUrl}/2` });
  expect(moved).toMatchObject({ status: 200, payload: { url: `${hookUrl}/2` } });
  expect((await put({ url: other, headers: named })).payload).toMatchObject({ headerNames });
  expect((await put({ url: hookUrl, headers: null })).payload).toMatchObject({ headerNames: [] });
  expect((await put({ url: other })).status).toBe(200);
});

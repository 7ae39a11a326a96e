import { expect } from 'vitest';
import { createRateLimit } from '../../../api/auth/rate-limits.ts';
import { capabilities, formatCapabilities } from '../../../domain/accounts/capabilities.ts';
import { newVariant, tokenWith } from '../../support/api/actors.ts';
import { call, fieldErrorsOf, textOf, unknownId, type Gateway } from '../../support/api/api.ts';
import { startGateway } from '../../support/api/api.ts';
import { sandboxTest as test, type Sandbox } from './sandbox-fixture.ts';

// What a vendor may do as the marketplace (D133).

/** Who did what, from the audit log of everything, oldest first. */
const actionsOn = async ({ sql }: Gateway, ...subjects: readonly string[]) => {
  const rows = await sql<{ entry: string }[]>`
    select operators.operator_id || ' ' || action as entry
    from audit_log join operators on operators.id = audit_log.operator_id
    where subject_id = any(${[...subjects]}) order by audit_log.id`;
  return rows.map(({ entry }) => entry);
};
const eventsOf = async ({ sql }: Gateway, { vendor }: Sandbox) => {
  const rows = await sql<{ event: string }[]>`
    select event_type || coalesce(' ' || (body::jsonb #>> '{data,decision}'), '') as event
    from webhook_events where vendor_id = ${vendor.vendorId} order by sequence`;
  return rows.map(({ event }) => event);
};

test('an offer goes through every decision, as the vendor reads it', async ({
  gateway,
  sandbox,
}) => {
  const { act, send, offer } = sandbox;
  const id = await offer();
  const read = async () => (await send('GET', `/offers/${id}`)).payload;
  for (const [path, body, expected] of [
    ['reject', { reason: 'No photo.' }, { status: 'Rejected' }],
    ['approve', undefined, null],
    ['suspend', { reason: 'Recalled.' }, null],
  ] as const) {
    const answer = await act(`/offers/${id}/${path}`, body);
    if (expected === null)
      expect(answer).toMatchObject({ status: 422, state: 'BUSINESS_OFFER_INVALID_TRANSITION' });
    else expect(answer.payload).toMatchObject(expected);
    expect(await read()).toMatchObject({ status: 'Rejected' });
  }
  await send('PATCH', `/offers/${id}`, { barcode: '4006381333931' });
  for (const [path, body, status] of [
    ['approve', undefined, 'Approved'],
    ['suspend', { reason: 'Recalled.' }, 'Suspended'],
    ['reinstate', undefined, 'Approved'],
  ] as const) {
    const answer = await act(`/offers/${id}/${path}`, body);
    expect(answer).toMatchObject({ status: 200, payload: { status } });
    expect(answer.payload).toEqual(await read());
  }
  const cost = { cost: 120, costIsVatInclusive: false };
  for (const [path, live] of [
    ['discard', 100],
    ['apply', 120],
  ] as const) {
    await send('PATCH', `/offers/${id}/cost`, cost);
    const { payload } = await act(`/offers/${id}/pending-price/${path}`);
    expect(payload).toMatchObject({ cost: { amount: live, pending: null } });
    expect(await act(`/offers/${id}/pending-price/${path}`)).toMatchObject({
      status: 422,
      state: 'BUSINESS_OFFER_NO_PENDING_PRICE',
    });
  }
  expect(await actionsOn(gateway, id)).toEqual([
    'sandbox offer.reject',
    'sandbox variant.create',
    ...['approve', 'suspend', 'reinstate', 'discardPrice', 'applyPrice'].map(
      (action) => `sandbox offer.${action}`,
    ),
  ]);
  expect(await eventsOf(gateway, sandbox)).toEqual(
    ['Rejected', 'Approved', 'PriceDiscarded', 'PriceApplied'].map(
      (decision) => `vendor.offer.review-decision ${decision}`,
    ),
  );
});

test('an approval without a match makes a variant from the offer, once', async ({
  gateway,
  sandbox: { act, send, offer },
}) => {
  const id = await offer({ rawSizeMl: 50, barcode: '4006381333931' });
  const [one, other] = await Promise.all([
    act(`/offers/${id}/approve`),
    act(`/offers/${id}/approve`),
  ]);
  expect([one, other].filter(({ status }) => status === 200)).toHaveLength(1);
  const { payload } = await send('GET', `/offers/${id}`);
  const variants = await gateway.sql`
    select brand_name, product_name, size_ml, barcode from variants where id = ${id}`;
  expect(payload).toMatchObject({ product: { variantId: id } });
  expect(variants).toEqual([
    { brandName: 'Brand', productName: 'Product', sizeMl: 50, barcode: '4006381333931' },
  ]);
  const variant = await newVariant(gateway);
  const matched = await act(`/offers/${await offer()}/approve`, { variantId: variant.id });
  expect(matched.payload).toMatchObject({ product: { variantId: variant.id } });
  const unknown = await act(`/offers/${await offer()}/approve`, { variantId: unknownId() });
  expect(fieldErrorsOf(unknown)).toEqual(['VariantId unknown_variant']);
});

test('a refused approval makes no variant', async ({ gateway, sandbox: { act, offer } }) => {
  const id = await offer();
  await act('/agreement', { pricingModel: 'PercentageOfSale', commissionPercent: 15 }, 'PUT');
  expect(await act(`/offers/${id}/approve`)).toMatchObject({ status: 422 });
  expect(await gateway.sql`select from variants where id = ${id}`).toHaveLength(0);
});

test('the agreement is that of the body', async ({ gateway, sandbox: { act, vendor } }) => {
  const changed = await act(
    '/agreement',
    { pricingModel: 'PercentageOfSale', commissionPercent: 12.5 },
    'PUT',
  );
  const { token } = vendor;
  const profile = await call(gateway, 'GET', '/api/v1/vendor/profile', { token });
  expect(changed).toMatchObject({
    status: 200,
    payload: { pricingModel: { name: 'PercentageOfSale', model: 2 } },
  });
  expect(changed.payload).toEqual(profile.payload);
  expect(await actionsOn(gateway, vendor.vendorId)).toEqual(['sandbox vendor.agreement']);
  const refused = await act('/agreement', { pricingModel: 'PercentageOfSale' }, 'PUT');
  expect(fieldErrorsOf(refused)).toEqual(['CommissionPercent agreement_mismatch']);
});

test('an order without lines has one of each of up to three approved offers', async ({
  gateway,
  sandbox,
}) => {
  const { act, send, offer } = sandbox;
  expect(await act('/orders')).toMatchObject({
    status: 422,
    state: 'BUSINESS_SANDBOX_NOTHING_TO_ORDER',
  });
  const ids = [await offer(), await offer(), await offer(), await offer()];
  for (const [index, id] of ids.entries()) {
    await act(`/offers/${id}/approve`);
    const { payload } = await act('/orders');
    const { lines } = payload as { lines: readonly { variantId: string; quantity: number }[] };
    expect(lines).toHaveLength(Math.min(index + 1, 3));
    expect(lines.every(({ quantity }) => quantity === 1)).toBe(true);
  }
  const ordered = await act('/orders', { lines: [{ offerId: ids[0], quantity: 4 }] });
  expect(ordered).toMatchObject({
    status: 201,
    payload: { status: 'Pending', lines: [{ variantId: ids[0], quantity: 4 }] },
  });
  const listed = await send('GET', '/orders?pageSize=1&page=5');
  expect(listed.payload?.['items']).toEqual([ordered.payload]);
  const pending = await offer();
  expect(await act('/orders', { lines: [{ offerId: pending, quantity: 1 }] })).toMatchObject({
    status: 422,
    details: { status: 'PendingMatch', message: expect.stringContaining(pending) },
  });
  expect((await eventsOf(gateway, sandbox)).slice(-1)).toEqual(['vendor.order.assigned']);
});

test('one key makes one order', async ({ gateway, sandbox: { act, offer, vendor } }) => {
  await act(`/offers/${await offer()}/approve`);
  const order = () =>
    call(gateway, 'POST', '/api/v1/sandbox/orders', {
      token: vendor.token,
      headers: { 'idempotency-key': 'first' },
    });
  const [first, repeated] = [await order(), await order()];
  expect(repeated.payload).toEqual(first.payload);
});

test('a shipment is delivered after it shipped, or cancelled before', async ({
  gateway,
  sandbox: { act, send, shipment },
}) => {
  const [delivered, cancelled] = [await shipment(), await shipment()];
  expect(await act(`/orders/${delivered}/deliver`)).toMatchObject({
    status: 422,
    state: 'BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION',
  });
  await send('POST', `/orders/${delivered}/ship`);
  expect((await act(`/orders/${delivered}/deliver`)).payload).toMatchObject({
    groupId: delivered,
    status: 'Delivered',
    deliveredAt: expect.any(String),
  });
  expect((await act(`/orders/${cancelled}/cancel`)).payload).toMatchObject({ status: 'Cancelled' });
  expect(await actionsOn(gateway, delivered, cancelled)).toEqual([
    'sandbox group.update',
    'sandbox group.update',
  ]);
});

test.for([
  [{}, 'InTransit', 'Defective'],
  [{ upTo: 'InTransit' }, 'InTransit', 'Defective'],
  [{ upTo: 'Approved', reasonCode: 'ChangedMind' }, 'Approved', 'ChangedMind'],
  [{ upTo: 'Pending' }, 'Pending', 'Defective'],
] as const)(
  'a return with %j is %s, of everything, for the reason %s',
  async ([given, status, reasonCode], { sandbox: { act, send, offer } }) => {
    await act(`/offers/${await offer()}/approve`);
    const offerId = await offer();
    await act(`/offers/${offerId}/approve`);
    const lines = [{ offerId, quantity: 3 }];
    const groupId = textOf(await act('/orders', { lines }), 'groupId');
    const made = await act('/returns', { groupId, ...given });
    expect(made).toMatchObject({
      status: 201,
      payload: { status, lines: [{ quantity: 3, reasonCode }] },
    });
    expect((await send('GET', `/returns/${textOf(made, 'id')}`)).payload).toEqual(made.payload);
    expect(await act('/returns', { groupId })).toMatchObject({
      status: 422,
      state: 'BUSINESS_RETURN_QUANTITY_EXCEEDED',
    });
  },
);

test('a return comes to each of its ends', async ({
  gateway,
  sandbox: { act, send, shipment },
}) => {
  const returned = async (upTo: string) =>
    textOf(await act('/returns', { groupId: await shipment(), upTo }), 'id');
  const moved = async (id: string, ...paths: readonly (readonly [string, string, unknown?])[]) => {
    for (const [path, status, body] of paths) {
      const answer = await act(`/returns/${id}/${path}`, body);
      expect(answer, path).toMatchObject({ status: 200, payload: { id, status } });
    }
  };
  const refunded = await returned('Pending');
  await moved(refunded, ['approve', 'Approved'], ['in-transit', 'InTransit']);
  expect(await act(`/returns/${refunded}/start-inspection`)).toMatchObject({
    status: 422,
    state: 'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION',
  });
  await send('PATCH', `/returns/${refunded}/received`);
  await moved(
    refunded,
    ['start-inspection', 'UnderInspection'],
    ['decide', 'InspectionAccepted', { outcome: 'AcceptedDefect' }],
    ['refund-released', 'RefundReleased'],
  );
  const rejected = await returned('InTransit');
  await send('PATCH', `/returns/${rejected}/received`);
  await moved(
    rejected,
    ['start-inspection', 'UnderInspection'],
    ['decide', 'InspectionRejected', { outcome: 'Rejected' }],
    ['close', 'Closed'],
  );
  expect(await actionsOn(gateway, refunded)).toEqual(
    ['create', 'approve', 'inTransit', 'startInspection', 'decide', 'releaseRefund'].map(
      (action) => `sandbox return.${action}`,
    ),
  );
});

test("a shipment and an offer of another vendor's are not found in a body", async ({
  gateway,
  sandbox: { shipment, offer },
}) => {
  const other = await call(gateway, 'POST', '/api/v1/sandbox/vendors', {
    body: { name: 'Other', pricingModel: 'CostPlusMargin' },
  });
  const { credential } = other.payload as { credential: Record<string, string> };
  const { clientId, clientSecret } = credential;
  const logIn = { body: { clientId, clientSecret } };
  const token = textOf(await call(gateway, 'POST', '/api/v1/auth/token', logIn), 'accessToken');
  for (const [path, body, state] of [
    ['returns', { groupId: await shipment() }, 'NOT_FOUND_FULFILMENT_GROUP'],
    ['orders', { lines: [{ offerId: await offer(), quantity: 1 }] }, 'NOT_FOUND_VENDOR_OFFER'],
  ] as const)
    expect(await call(gateway, 'POST', `/api/v1/sandbox/${path}`, { token, body })).toMatchObject({
      status: 404,
      state,
    });
});

test('any token of the vendor is enough', async ({ gateway, sandbox: { vendor, offer } }) => {
  const token = tokenWith(gateway, vendor, ['Stock']);
  const url = `/api/v1/sandbox/offers/${await offer()}/approve`;
  expect(await call(gateway, 'POST', url, { token })).toMatchObject({ status: 200 });
});

test('a registration gives a vendor with a credential that works', async ({ gateway }) => {
  const body = { name: 'Amber House', pricingModel: 'PercentageOfSale' };
  const made = await call(gateway, 'POST', '/api/v1/sandbox/vendors', { body });
  const { vendor, credential } = made.payload as Record<string, Record<string, string>>;
  expect(made.status).toBe(201);
  expect(vendor).toEqual({ id: expect.any(String), ...body });
  expect(credential).toMatchObject({
    environment: 'Sandbox',
    capabilities: formatCapabilities(capabilities),
    isActive: true,
  });
  const { clientId, clientSecret } = credential ?? {};
  const answer = await call(gateway, 'POST', '/api/v1/auth/token', {
    body: { clientId, clientSecret },
  });
  expect(answer.status).toBe(200);
  expect(await actionsOn(gateway, vendor?.['id'] ?? '', credential?.['id'] ?? '')).toEqual([
    'sandbox vendor.create',
    'sandbox credential.create',
  ]);
});

test('registrations of one address are limited, and can be switched off', async () => {
  const body = { name: 'Amber House', pricingModel: 'CostPlusMargin' };
  const register = (gateway: Gateway) => call(gateway, 'POST', '/api/v1/sandbox/vendors', { body });
  const limited = await startGateway({
    environment: 'Sandbox',
    registrationsPerAddress: createRateLimit(2, 3_600_000),
  });
  const statuses = [];
  for (let count = 0; count < 2; count += 1) statuses.push((await register(limited)).status);
  const refused = await register(limited);
  expect(statuses).toEqual([201, 201]);
  expect(refused).toMatchObject({
    status: 429,
    headers: { 'retry-after': expect.stringMatching(/^3[56]\d\d$/) },
    details: {
      reason: 'SANDBOX_REGISTRATIONS',
      message: 'The limit is 2 new vendors from one source address in an hour.',
    },
  });
  await limited.close();
  const closed = await startGateway({ environment: 'Sandbox', registrationsPerAddress: null });
  const { app } = closed;
  const none = await app.inject({ method: 'POST', url: '/api/v1/sandbox/vendors', payload: body });
  expect(none.json()).toMatchObject({ state: 'NOT_FOUND_ROUTE' });
  await closed.close();
});

import { expect } from 'vitest';
import { createRateLimit } from '../../../api/auth/rate-limits.ts';
import { capabilities, formatCapabilities } from '../../../domain/accounts/capabilities.ts';
import type { ErrorCode } from '../../../domain/errors.ts';
import { newVariant, newVendor, tokenWith, type TestVendor } from '../../support/api/actors.ts';
import {
  call,
  fieldErrorsOf,
  refusal,
  startGateway,
  textOf,
  unknownId,
  type Gateway,
} from '../../support/api/api.ts';
import { sandboxTest as test } from './sandbox-fixture.ts';

// What a vendor may do as the marketplace (D133).

/** An operator's actions on subjects, from the audit log, the oldest first. */
const actionsOn = async ({ sql }: Gateway, ...subjects: readonly string[]) => {
  const rows = await sql<{ entry: string }[]>`
    select operators.operator_id || ' ' || action as entry
    from audit_log join operators on operators.id = audit_log.operator_id
    where subject_id = any(${[...subjects]}) order by audit_log.id`;
  return rows.map(({ entry }) => entry);
};
const eventsOf = async ({ sql }: Gateway, { vendorId }: TestVendor) => {
  const rows = await sql<{ event: string }[]>`
    select event_type || coalesce(' ' || (body::jsonb #>> '{data,decision}'), '') as event
    from webhook_events where vendor_id = ${vendorId} order by sequence`;
  return rows.map(({ event }) => event);
};
/** A refusal of that code, whatever its details. */
const refusedAs = (code: ErrorCode) => refusal(code, expect.anything());

test('an offer goes through every decision, as the vendor reads it', async ({
  gateway,
  sandbox: { act, send, offer, vendor },
}) => {
  const id = await offer();
  const read = async () => (await send('GET', `/offers/${id}`)).payload;
  const reason = { reason: 'Recalled.' };
  for (const [path, body, status] of [
    ['reject', reason, 'Rejected'],
    ['approve', undefined, null],
    ['suspend', reason, null],
    ['edit', undefined, 'PendingMatch'],
    ['approve', undefined, 'Approved'],
    ['suspend', reason, 'Suspended'],
    ['reinstate', undefined, 'Approved'],
  ] as const) {
    const before = await read();
    const answer =
      path === 'edit'
        ? await send('PATCH', `/offers/${id}`, { barcode: '4006381333931' })
        : await act(`/offers/${id}/${path}`, body);
    if (status === null)
      expect(answer).toMatchObject(refusedAs('BUSINESS_OFFER_INVALID_TRANSITION'));
    else expect(answer).toMatchObject({ status: 200, payload: { status } });
    expect(await read()).toMatchObject((status === null ? before : answer.payload) ?? {});
  }
  const cost = { cost: 120, costIsVatInclusive: false };
  for (const [path, live] of [
    ['discard', 100],
    ['apply', 120],
  ] as const) {
    await send('PATCH', `/offers/${id}/cost`, cost);
    const { payload } = await act(`/offers/${id}/pending-price/${path}`);
    expect(payload).toMatchObject({ cost: { amount: live, pending: null } });
    expect(await act(`/offers/${id}/pending-price/${path}`)).toMatchObject(
      refusedAs('BUSINESS_OFFER_NO_PENDING_PRICE'),
    );
  }
  expect(await actionsOn(gateway, id)).toEqual([
    'sandbox offer.reject',
    'sandbox variant.create',
    ...['approve', 'suspend', 'reinstate', 'discardPrice', 'applyPrice'].map(
      (action) => `sandbox offer.${action}`,
    ),
  ]);
  expect(await eventsOf(gateway, vendor)).toEqual(
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
  const approve = (offerId: string, body?: object) => act(`/offers/${offerId}/approve`, body);
  const both = await Promise.all([approve(id), approve(id)]);
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
  const { payload } = await send('GET', `/offers/${id}`);
  expect(payload).toMatchObject({ product: { variantId: id } });
  const variants = await gateway.sql`
    select brand_name, product_name, size_ml, barcode from variants where id = ${id}`;
  expect(variants).toEqual([
    { brandName: 'Brand', productName: 'Product', sizeMl: 50, barcode: '4006381333931' },
  ]);
  const { id: variantId } = await newVariant(gateway);
  const matched = await approve(await offer(), { variantId });
  expect(matched.payload).toMatchObject({ product: { variantId } });
  const unknown = await approve(await offer(), { variantId: unknownId() });
  expect(fieldErrorsOf(unknown)).toEqual(['VariantId unknown_variant']);
});

test('a refused approval makes no variant', async ({ gateway, sandbox: { act, offer } }) => {
  const id = await offer();
  await act('/agreement', { pricingModel: 'PercentageOfSale', commissionPercent: 15 }, 'PUT');
  expect(await act(`/offers/${id}/approve`)).toMatchObject({ status: 422 });
  expect(await gateway.sql`select from variants where id = ${id}`).toHaveLength(0);
});

test('the agreement is that of the body', async ({ gateway, sandbox: { act, vendor } }) => {
  const body = { pricingModel: 'PercentageOfSale', commissionPercent: 12.5 };
  const changed = await act('/agreement', body, 'PUT');
  const profile = await call(gateway, 'GET', '/api/v1/vendor/profile', vendor);
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
  sandbox: { act, send, offer, approved, vendor },
}) => {
  expect(await act('/orders')).toMatchObject(refusedAs('BUSINESS_SANDBOX_NOTHING_TO_ORDER'));
  let first = '';
  for (const length of [1, 2, 3, 3]) {
    const offerId = await approved();
    if (length === 1) first = offerId;
    const { payload } = await act('/orders');
    const quantities = (payload as { lines: readonly { quantity: number }[] }).lines;
    expect(quantities).toMatchObject(Array.from({ length }, () => ({ quantity: 1 })));
  }
  const ordered = await act('/orders', { lines: [{ offerId: first, quantity: 4 }] });
  const lines = [{ variantId: first, quantity: 4 }];
  expect(ordered).toMatchObject({ status: 201, payload: { status: 'Pending', lines } });
  const listed = await send('GET', '/orders?pageSize=1&page=5');
  expect(listed.payload?.['items']).toEqual([ordered.payload]);
  const pending = await offer();
  expect(await act('/orders', { lines: [{ offerId: pending, quantity: 1 }] })).toMatchObject({
    status: 422,
    details: { status: 'PendingMatch', message: expect.stringContaining(pending) },
  });
  expect((await eventsOf(gateway, vendor)).at(-1)).toBe('vendor.order.assigned');
});

test('one key makes one order', async ({ gateway, sandbox: { approved, vendor } }) => {
  await approved();
  const given = { token: vendor.token, headers: { 'idempotency-key': 'first' } };
  const order = () => call(gateway, 'POST', '/api/v1/sandbox/orders', given);
  const [first, repeated] = [await order(), await order()];
  expect(repeated.payload).toEqual(first.payload);
});

test('a shipment is delivered after it shipped, or cancelled before', async ({
  gateway,
  sandbox: { act, send, shipment },
}) => {
  const [delivered, cancelled] = [await shipment(), await shipment()];
  expect(await act(`/orders/${delivered}/deliver`)).toMatchObject(
    refusedAs('BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION'),
  );
  await send('POST', `/orders/${delivered}/ship`);
  expect((await act(`/orders/${delivered}/deliver`)).payload).toMatchObject({
    groupId: delivered,
    status: 'Delivered',
    deliveredAt: expect.any(String),
  });
  expect((await act(`/orders/${cancelled}/cancel`)).payload).toMatchObject({ status: 'Cancelled' });
  const update = 'sandbox group.update';
  expect(await actionsOn(gateway, delivered, cancelled)).toEqual([update, update]);
});

test.for([
  [{}, 'InTransit', 'Defective'],
  [{ upTo: 'InTransit' }, 'InTransit', 'Defective'],
  [{ upTo: 'Approved', reasonCode: 'ChangedMind' }, 'Approved', 'ChangedMind'],
  [{ upTo: 'Pending' }, 'Pending', 'Defective'],
] as const)(
  'a return with %j is %s, of everything, for the reason %s',
  async ([given, status, reasonCode], { sandbox: { act, send, approved, shipment } }) => {
    await approved();
    const groupId = await shipment([{ offerId: await approved(), quantity: 3 }]);
    const made = await act('/returns', { groupId, ...given });
    expect(made).toMatchObject({
      status: 201,
      payload: { status, lines: [{ quantity: 3, reasonCode }] },
    });
    expect((await send('GET', `/returns/${textOf(made, 'id')}`)).payload).toEqual(made.payload);
    expect(await act('/returns', { groupId })).toMatchObject(
      refusedAs('BUSINESS_RETURN_QUANTITY_EXCEEDED'),
    );
  },
);

test('a return comes to each of its ends', async ({
  gateway,
  sandbox: { act, send, shipment },
}) => {
  /** Moves a new return by paths, each with the status that it leads to. */
  const returned = async (
    upTo: string,
    ...moves: readonly (readonly [string, string, object?])[]
  ) => {
    const id = textOf(await act('/returns', { groupId: await shipment(), upTo }), 'id');
    for (const [path, status, body] of moves) {
      const answer =
        path === 'received'
          ? await send('PATCH', `/returns/${id}/received`)
          : await act(`/returns/${id}/${path}`, body);
      expect(answer, path).toMatchObject({ status: 200, payload: { id, status } });
    }
    return id;
  };
  const refunded = await returned(
    'Pending',
    ['approve', 'Approved'],
    ['in-transit', 'InTransit'],
    ['received', 'Received'],
    ['start-inspection', 'UnderInspection'],
    ['decide', 'InspectionAccepted', { outcome: 'AcceptedDefect' }],
    ['refund-released', 'RefundReleased'],
  );
  await returned(
    'InTransit',
    ['received', 'Received'],
    ['start-inspection', 'UnderInspection'],
    ['decide', 'InspectionRejected', { outcome: 'Rejected' }],
    ['close', 'Closed'],
  );
  const early = await returned('InTransit');
  expect(await act(`/returns/${early}/start-inspection`)).toMatchObject(
    refusedAs('BUSINESS_RETURN_REQUEST_INVALID_TRANSITION'),
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
  const { token } = await newVendor(gateway);
  for (const [path, body, code] of [
    ['returns', { groupId: await shipment() }, 'NOT_FOUND_FULFILMENT_GROUP'],
    ['orders', { lines: [{ offerId: await offer(), quantity: 1 }] }, 'NOT_FOUND_VENDOR_OFFER'],
  ] as const)
    expect(await call(gateway, 'POST', `/api/v1/sandbox/${path}`, { token, body })).toMatchObject(
      refusal(code),
    );
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

const register = ({ app }: Gateway) =>
  app.inject({
    method: 'POST',
    url: '/api/v1/sandbox/vendors',
    payload: { name: 'Amber House', pricingModel: 'CostPlusMargin' },
  });

test('registrations of one address are limited, and can be switched off', async () => {
  const environment = 'Sandbox';
  const registrationsPerAddress = createRateLimit(2, 3_600_000);
  const limited = await startGateway({ environment, registrationsPerAddress });
  for (const status of [201, 201]) expect((await register(limited)).statusCode).toBe(status);
  const refused = await register(limited);
  expect(refused.statusCode).toBe(429);
  expect(refused.headers['retry-after']).toMatch(/^3[56]\d\d$/);
  expect(refused.json()).toMatchObject({
    details: {
      reason: 'SANDBOX_REGISTRATIONS',
      message: 'The limit is 2 new vendors from one source address in an hour.',
    },
  });
  await limited.close();
  const closed = await startGateway({ environment, registrationsPerAddress: null });
  expect((await register(closed)).json()).toMatchObject({ state: 'NOT_FOUND_ROUTE' });
  await closed.close();
});

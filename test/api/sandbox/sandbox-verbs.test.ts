import { expect } from 'vitest';
import { registrationLimit } from '../../../api/sandbox/sandbox-accounts.ts';
import { findAnyOffer } from '../../../db/offers/offers.ts';
import { findCandidates, giveVariantsToVendors } from '../../../db/offers/variants.ts';
import { capabilities, formatCapabilities } from '../../../domain/accounts/capabilities.ts';
import type { ErrorCode } from '../../../domain/errors.ts';
import { loadConfig } from '../../../process/config.ts';
import {
  freeFormOffer,
  newVariant,
  newVendor,
  tokenWith,
  type TestVendor,
} from '../../support/api/actors.ts';
import {
  call,
  fieldErrorsOf,
  itemsOf,
  refusal,
  startGateway,
  textOf,
  unknownId,
  type Gateway,
  type Method,
} from '../../support/api/api.ts';
import { newOrderFixture } from '../orders/order-fixture.ts';
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

test('carries out every decision on an offer', async ({ gateway, sandbox }) => {
  const { act, send, offer, vendor } = sandbox;
  const id = await offer();
  const reason = { reason: 'Recalled.' };
  let status = 'PendingMatch';
  for (const [path, body, next] of [
    ['reject', reason, 'Rejected'],
    ['approve', undefined, null],
    ['suspend', reason, null],
    ['edit', { barcode: '4006381333931' }, 'PendingMatch'],
    ['approve', undefined, 'Approved'],
    ['suspend', reason, 'Suspended'],
    ['reinstate', undefined, 'Approved'],
  ] as const) {
    const url = `/offers/${id}`;
    const response = await (path === 'edit'
      ? send('PATCH', url, body)
      : act(`${url}/${path}`, body));
    status = next ?? status;
    const decided = { status: 200, payload: { status } };
    expect(response).toMatchObject(
      next === null ? refusedAs('BUSINESS_OFFER_INVALID_TRANSITION') : decided,
    );
    expect((await send('GET', url)).payload).toMatchObject({ status });
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
  const actions = ['approve', 'suspend', 'reinstate', 'discardPrice', 'applyPrice'];
  expect(await actionsOn(gateway, id)).toEqual([
    'sandbox offer.reject',
    'sandbox variant.create',
    ...actions.map((action) => `sandbox offer.${action}`),
  ]);
  expect(await eventsOf(gateway, vendor)).toEqual(
    ['Rejected', 'Approved', 'PriceDiscarded', 'PriceApplied'].map(
      (decision) => `vendor.offer.review-decision ${decision}`,
    ),
  );
});

test('creates one variant by an approval without a match', async ({ gateway, sandbox }) => {
  const { act, send, offer } = sandbox;
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

test('keeps a variant that an approval made for its vendor, until its reset (D175)', async ({
  gateway,
  sandbox: { act, send, offer, vendor },
}) => {
  const other = await newVendor(gateway);
  const { operate, bodyOf } = await newOrderFixture(gateway);
  const sendAsOther = (method: Method, path: string, body?: unknown) =>
    call(gateway, method, `/api/v1/scent${path}`, { token: other.token, body });
  const product = `Oud ${unknownId()}`;
  const id = await offer({ rawProductName: product });
  await act(`/offers/${id}/approve`);
  // As an earlier version stored it, until a migration.
  await gateway.sql`update variants set vendor_id = null where id = ${id}`;
  expect(await giveVariantsToVendors(gateway.sql)).toBeGreaterThan(0);
  const search = `/variants?q=${encodeURIComponent(product)}`;
  expect(itemsOf(await send('GET', search))).toMatchObject([{ id }]);
  expect(itemsOf(await sendAsOther('GET', search))).toEqual([]);
  const all = itemsOf(await sendAsOther('GET', '/variants?pageSize=100'));
  expect(all.map((item) => (item as { id: string }).id)).not.toContain(id);
  const named = { ...freeFormOffer, variantId: id };
  expect((await send('POST', '/offers', named)).status).toBe(201);
  expect(fieldErrorsOf(await sendAsOther('POST', '/offers', named))).toEqual([
    'VariantId unknown_variant',
  ]);
  const { payload } = await sendAsOther('POST', '/offers', {
    ...freeFormOffer,
    rawProductName: product,
  });
  const otherId = (payload as { id: string }).id;
  const found = await findAnyOffer(gateway.sql, otherId);
  if (found === null) throw new Error('the offer is not stored');
  expect((await findCandidates(gateway.sql, found)).map((variant) => variant.id)).not.toContain(id);
  const approval = call(gateway, 'POST', `/api/v1/sandbox/offers/${otherId}/approve`, {
    token: other.token,
    body: { variantId: id },
  });
  expect(fieldErrorsOf(await approval)).toEqual(['VariantId unknown_variant']);
  const order = (vendorId: string | null) =>
    operate('POST', '/orders', bodyOf({ vendorId, lines: [{ variantId: id, quantity: 1 }] }));
  for (const vendorId of [other.vendorId, null])
    expect(fieldErrorsOf(await order(vendorId))).toEqual(['Groups[0].Lines[0].VariantId unknown']);
  expect((await order(vendor.vendorId)).status).toBe(201);
  expect((await act('/reset')).status).toBe(202);
  expect(itemsOf(await send('GET', search))).toEqual([]);
  expect(await gateway.sql`select from variants where id = ${id}`).toHaveLength(0);
});

test('creates no variant by a refused approval', async ({ gateway, sandbox: { act, offer } }) => {
  const id = await offer();
  await act('/agreement', { pricingModel: 'PercentageOfSale', commissionPercent: 15 }, 'PUT');
  expect(await act(`/offers/${id}/approve`)).toMatchObject({ status: 422 });
  expect(await gateway.sql`select from variants where id = ${id}`).toHaveLength(0);
});

test('sets the agreement of the body', async ({ gateway, sandbox: { act, vendor } }) => {
  const body = { pricingModel: 'PercentageOfSale', commissionPercent: 12.5 };
  const changed = await act('/agreement', body, 'PUT');
  const profile = await call(gateway, 'GET', '/api/v1/vendor/profile', vendor);
  const payload = { pricingModel: { name: 'PercentageOfSale', model: 2 } };
  expect(changed).toMatchObject({ status: 200, payload });
  expect(changed.payload).toEqual(profile.payload);
  expect(await actionsOn(gateway, vendor.vendorId)).toEqual(['sandbox vendor.agreement']);
  const refused = await act('/agreement', { pricingModel: 'PercentageOfSale' }, 'PUT');
  expect(fieldErrorsOf(refused)).toEqual(['CommissionPercent agreement_mismatch']);
});

test('orders one each of up to three offers without lines in the body', async ({ sandbox }) => {
  const { act, approved } = sandbox;
  expect(await act('/orders')).toMatchObject(refusedAs('BUSINESS_SANDBOX_NOTHING_TO_ORDER'));
  for (const length of [1, 2, 3, 3]) {
    await approved();
    const lines = Array.from({ length }, () => ({ quantity: 1 }));
    expect((await act('/orders')).payload).toMatchObject({ lines });
  }
});

test('makes an order of the lines in the body', async ({ gateway, sandbox }) => {
  const { act, send, offer, approved, vendor } = sandbox;
  const first = await approved();
  const ordered = await act('/orders', { lines: [{ offerId: first, quantity: 4 }] });
  const lines = [{ variantId: first, quantity: 4 }];
  expect(ordered).toMatchObject({ status: 201, payload: { status: 'Pending', lines } });
  expect((await send('GET', '/orders')).payload?.['items']).toEqual([ordered.payload]);
  const pending = await offer();
  const details = { status: 'PendingMatch', message: expect.stringContaining(pending) };
  expect(await act('/orders', { lines: [{ offerId: pending, quantity: 1 }] })).toMatchObject({
    status: 422,
    details,
  });
  expect((await eventsOf(gateway, vendor)).at(-1)).toBe('vendor.order.assigned');
});

test('creates one order for one key', async ({ gateway, sandbox: { approved, vendor } }) => {
  await approved();
  const given = { token: vendor.token, headers: { 'idempotency-key': 'first' } };
  const order = () => call(gateway, 'POST', '/api/v1/sandbox/orders', given);
  const [first, repeated] = [await order(), await order()];
  expect(repeated.payload).toEqual(first.payload);
});

test('delivers a shipment only after it shipped', async ({ gateway, sandbox }) => {
  const { act, send, shipment } = sandbox;
  const delivered = await shipment();
  expect(await act(`/orders/${delivered}/deliver`)).toMatchObject(
    refusedAs('BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION'),
  );
  await send('POST', `/orders/${delivered}/ship`);
  expect((await act(`/orders/${delivered}/deliver`)).payload).toMatchObject({
    groupId: delivered,
    status: 'Delivered',
    deliveredAt: expect.any(String),
  });
  expect(await actionsOn(gateway, delivered)).toEqual(['sandbox group.update']);
});

test('cancels a shipment that has not shipped', async ({ gateway, sandbox }) => {
  const { act, shipment } = sandbox;
  const cancelled = await shipment();
  expect((await act(`/orders/${cancelled}/cancel`)).payload).toMatchObject({ status: 'Cancelled' });
  expect(await actionsOn(gateway, cancelled)).toEqual(['sandbox group.update']);
});

test.for([
  [{}, 'InTransit', 'Defective'],
  [{ upTo: 'InTransit' }, 'InTransit', 'Defective'],
  [{ upTo: 'Approved', reasonCode: 'ChangedMind' }, 'Approved', 'ChangedMind'],
  [{ upTo: 'Pending' }, 'Pending', 'Defective'],
] as const)(
  'creates a return with %j as %s, of everything, for the reason %s',
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

test('limits a return to lines of its shipment', async ({ gateway, sandbox: { act, vendor } }) => {
  const { take } = await newOrderFixture(gateway);
  const vendors = [vendor, vendor, await newVendor(gateway)];
  const { groups } = await take(...vendors.map(({ vendorId }) => ({ vendorId })));
  const [own, ...others] = groups.map(({ groupId, lines }) => ({ groupId, id: lines[0]?.lineId }));
  const refused = [...others.map(({ id }) => id), unknownId()].map((lineId) =>
    act('/returns', { groupId: own?.groupId, lines: [{ lineId, quantity: 1 }] }),
  );
  const [first, ...rest] = await Promise.all(refused);
  expect(first && fieldErrorsOf(first)).toEqual(['Lines[0].LineId unknown']);
  expect(rest.map(({ text }) => text)).toEqual([first?.text, first?.text]);
});

test('moves a return to each of its ends', async ({ gateway, sandbox }) => {
  const { act, send, shipment } = sandbox;
  /** Moves a new return by paths, each with the status that it leads to. */
  const returned = async (upTo: string, ...moves: readonly [string, string, object?][]) => {
    const id = textOf(await act('/returns', { groupId: await shipment(), upTo }), 'id');
    for (const [path, status, body] of moves) {
      const url = `/returns/${id}/${path}`;
      const response = await (path === 'received' ? send('PATCH', url) : act(url, body));
      expect(response, path).toMatchObject({ status: 200, payload: { id, status } });
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
  const actions = ['create', 'approve', 'inTransit', 'startInspection', 'decide', 'releaseRefund'];
  expect(await actionsOn(gateway, refunded)).toEqual(
    actions.map((action) => `sandbox return.${action}`),
  );
});

test('returns 404 for a shipment or offer of another vendor', async ({ gateway, sandbox }) => {
  const { shipment, offer } = sandbox;
  const { token } = await newVendor(gateway);
  for (const [path, body, code] of [
    ['returns', { groupId: await shipment() }, 'NOT_FOUND_FULFILMENT_GROUP'],
    ['orders', { lines: [{ offerId: await offer(), quantity: 1 }] }, 'NOT_FOUND_VENDOR_OFFER'],
  ] as const)
    expect(await call(gateway, 'POST', `/api/v1/sandbox/${path}`, { token, body })).toMatchObject(
      refusal(code),
    );
});

test('accepts a token of any capability', async ({ gateway, sandbox: { vendor, offer } }) => {
  const token = tokenWith(gateway, vendor, ['Stock']);
  const url = `/api/v1/sandbox/offers/${await offer()}/approve`;
  expect(await call(gateway, 'POST', url, { token })).toMatchObject({ status: 200 });
});

const registration = { name: 'Amber House', pricingModel: 'PercentageOfSale' };
const register = (gateway: Gateway, body: unknown = registration) =>
  call(gateway, 'POST', '/api/v1/sandbox/vendors', { body });

test('registers a vendor with a credential that works', async ({ gateway }) => {
  const made = await register(gateway);
  const { vendor, credential } = made.payload as Record<string, Record<string, string>>;
  expect(made.status).toBe(201);
  expect(vendor).toEqual({ id: expect.any(String), ...registration });
  const granted = { capabilities: formatCapabilities(capabilities), isActive: true };
  expect(credential).toMatchObject({ environment: 'Sandbox', ...granted });
  const { clientId, clientSecret } = credential ?? {};
  const secret = { body: { clientId, clientSecret } };
  expect((await call(gateway, 'POST', '/api/v1/auth/token', secret)).status).toBe(200);
  expect(await actionsOn(gateway, vendor?.['id'] ?? '', credential?.['id'] ?? '')).toEqual([
    'sandbox vendor.create',
    'sandbox credential.create',
  ]);
});

const sandboxWith = (environment: Record<string, string>) =>
  startGateway({
    environment: 'Sandbox',
    registrationsPerAddress: registrationLimit(loadConfig(environment)),
  });

test('limits registrations by address before the body, or allows none', async () => {
  const open = await sandboxWith({});
  for (let each = 1; each <= 10; each += 1)
    expect(await register(open)).toMatchObject({ status: 201 });
  const message = 'The limit is 10 registrations from one source address in an hour.';
  const details = { reason: 'SANDBOX_REGISTRATIONS', message };
  const refused = await register(open, 'no JSON');
  expect(refused).toMatchObject(refusal('TOO_MANY_REQUESTS', details));
  expect(refused.headers['retry-after']).toMatch(/^3[56]\d\d$/);
  await open.close();
  const two = await sandboxWith({ SANDBOX_REGISTRATIONS_PER_HOUR: '2' });
  const statuses = [];
  for (let each = 1; each <= 3; each += 1) statuses.push((await register(two)).status);
  expect(statuses).toEqual([201, 201, 429]);
  await two.close();
  const unlimited = await sandboxWith({ SANDBOX_REGISTRATIONS_PER_HOUR: '0' });
  for (let each = 1; each <= 12; each += 1)
    expect(await register(unlimited)).toMatchObject({ status: 201 });
  await unlimited.close();
  const { app, close } = await sandboxWith({ SANDBOX_OPEN_REGISTRATION: 'false' });
  const response = await app.inject({ method: 'POST', url: '/api/v1/sandbox/vendors' });
  expect(response.json()).toMatchObject({ state: 'NOT_FOUND_ROUTE' });
  await close();
});

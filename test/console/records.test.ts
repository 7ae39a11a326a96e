import { describe, expect } from 'vitest';
import { operatorRoles } from '../../domain/accounts/operator-roles.ts';
import { newOrderFixture, succeeded } from '../api/orders/order-fixture.ts';
import { freeFormOffer, newVariant, newVendor } from '../support/api/actors.ts';
import { call, textOf } from '../support/api/api.ts';
import { gatewayTest } from '../support/gateway/gateway-test.ts';
import { seedOffer, seedVendor } from '../support/seeds/seed.ts';
import { browserOf } from './console-fixture.ts';
// The pages of what is recorded: orders and the audit log (D139).

const test = gatewayTest
  .extend('fixture', { scope: 'file' }, ({ gateway }) => newOrderFixture(gateway))
  .extend('vendor', { scope: 'file' }, ({ gateway }) => newVendor(gateway))
  .extend('order', async ({ fixture, vendor: { vendorId } }) => {
    const { orderGlobalId, groups } = await fixture.take({ vendorId });
    const [group] = groups;
    if (group === undefined) throw new Error('an order without a group');
    return { orderGlobalId, group, page: `/console/orders/${orderGlobalId}` };
  })
  .extend('reviewer', { scope: 'file' }, ({ gateway }) => browserOf(gateway, 'Reviewer'))
  .extend('operations', { scope: 'file' }, ({ gateway }) => browserOf(gateway, 'Operations'))
  .extend('admin', { scope: 'file' }, ({ gateway }) => browserOf(gateway, 'Admin'));

const unsafe = '<b>"&';
const escaped = '&lt;b&gt;&quot;&amp;';

describe('orders', () => {
  test('are listed by vendor, status and day', async ({ vendor, operations, order }) => {
    const today = new Date().toISOString().slice(0, 10);
    const listed = async (query: string) =>
      (await operations.open(`/console/orders?vendorId=${vendor.vendorId}&${query}`)).body.includes(
        `href="${order.page}"`,
      );
    expect(await listed('status=Pending')).toBe(true);
    expect(await listed(`from=${today}&to=${today}`)).toBe(true);
    expect(await listed('status=Cancelled')).toBe(false);
    expect(await listed('to=2020-01-01')).toBe(false);
    const found = await operations.open(`/console/orders?orderGlobalId=${order.orderGlobalId}`);
    expect(found.headers['location']).toBe(order.page);
  });

  test('shows the shipments and the returns of an order', async ({
    fixture,
    operations,
    order,
  }) => {
    const { orderGlobalId, page, group } = order;
    expect((await operations.open(page)).body).toContain('Nothing of this order comes back.');
    const lines = group.lines.map(({ lineId }) => ({ lineId, quantity: 1, reasonCode: 'Other' }));
    const asked = { orderGlobalId, destination: 'Supplier', lines };
    const id = textOf(succeeded(await fixture.operate('POST', '/returns', asked)), 'id');
    const { body } = await operations.open(page);
    expect(body).toContain(`href="/console/returns/${id}"`);
    expect(body).toContain(`href="/console/catalogue/${fixture.variantId}"`);
    expect((await operations.open(`${page}0`)).statusCode).toBe(404);
  });

  test('moves a shipment with its tracking reference, and offers only what may follow', async ({
    operations,
    order: { group, page },
  }) => {
    const { groupId } = group;
    const form = { groupId, status: 'Shipped', trackingRef: unsafe };
    const moved = await operations.submit(`${page}/move`, form);
    expect(moved).toMatchObject({ statusCode: 303, headers: { location: page } });
    const { body } = await operations.open(page);
    expect(body).toContain(`value="${escaped}"`);
    expect(body).not.toContain(unsafe);
    expect(body).toContain('Mark delivered');
    expect(body).not.toContain('Mark shipped');
    expect(body).not.toContain('Cancel the shipment');
    const refused = await operations.submit(`${page}/move`, form);
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toContain('BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION');
  });

  test('assigns a shipment that has no vendor', async ({
    fixture,
    operations,
    vendor: { vendorId },
  }) => {
    const { orderGlobalId, groups } = await fixture.take({ sourcing: true });
    const page = `/console/orders/${orderGlobalId}`;
    expect((await operations.open(page)).body).toContain('No vendor yet');
    const form = { groupId: String(groups[0]?.groupId), vendorId };
    expect((await operations.submit(`${page}/assign`, form)).statusCode).toBe(303);
    expect((await operations.open(page)).body).not.toContain('No vendor yet');
  });
});

describe('the catalogue', () => {
  const catalogue = '/console/catalogue';
  const given = { brandName: unsafe, productName: 'Oud', sizeMl: '50', barcode: '4006381333931' };

  test('takes a new variant, finds it by words, and leads to it', async ({ reviewer }) => {
    const form = { ...given, sku: `SKU-${crypto.randomUUID()}` };
    const refused = await reviewer.submit(catalogue, { ...form, sizeMl: 'large' });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain('SizeMl ');
    expect(refused.body).toContain(`value="${escaped}"`);
    const added = await reviewer.submit(catalogue, form);
    expect(added.statusCode).toBe(303);
    const page = String(added.headers['location']);
    for (const query of [`q=${form.sku}`, `q=${form.sku}&code=04006381333931`])
      expect((await reviewer.open(`${catalogue}?${query}`)).body).toContain(`href="${page}"`);
    expect((await reviewer.open(`${catalogue}?q=${form.sku}&code=96385074`)).body).not.toContain(
      `href="${page}"`,
    );
    const { body } = await reviewer.open(page);
    expect(body).toContain(`<bdi>${escaped} Oud</bdi>`);
    expect(body).toContain('No offer is matched to it.');
    expect((await reviewer.open(`${catalogue}?code=1`)).body).toMatch(
      /barcode must be [^<]+<\/bdi>/,
    );
  });

  test('shows a Reviewer the offers for a variant, and an Admin the switch', async ({
    gateway,
    vendor,
    reviewer,
    operations,
    admin,
  }) => {
    const { id: variantId } = await newVariant(gateway);
    const body = { ...freeFormOffer, rawProductName: unsafe, variantId };
    const made = await call(gateway, 'POST', '/api/v1/scent/offers', { token: vendor.token, body });
    const offer = `href="/console/offers/${textOf(made, 'id')}"`;
    const page = `${catalogue}/${variantId}`;
    const [review, staff, all] = await Promise.all(
      [reviewer, operations, admin].map(async ({ open }) => (await open(page)).body),
    );
    expect([review, all].every((shown) => shown?.includes(offer))).toBe(true);
    expect(staff).not.toContain(offer);
    expect(all).toContain('Deactivate…');
    for (const shown of [review, staff]) expect(shown).not.toContain('Deactivate…');
    expect((await operations.open(catalogue)).body).not.toContain('New variant…');
    const form = { isActive: 'false' };
    for (const { submit } of [reviewer, operations])
      expect((await submit(`${page}/active`, form)).statusCode).toBe(403);
    expect((await operations.submit(catalogue, given)).statusCode).toBe(403);
    expect((await admin.submit(`${page}/active`, form)).statusCode).toBe(303);
    expect((await admin.open(page)).body).toContain('Activate…');
  });
});

describe('the audit log', () => {
  test('shows who changed what of a subject, also to a Reviewer', async ({
    fixture,
    operations,
    reviewer,
    order: { group, page },
  }) => {
    const { groupId } = group;
    await operations.submit(`${page}/move`, { groupId, status: 'Packed', trackingRef: unsafe });
    const { body } = await reviewer.open(`/console/audit?subjectId=${groupId}`);
    expect(body).toContain('group.update');
    expect(body).toContain(`→ ${escaped}`);
    expect(body).not.toContain('operatorId=');
    const orders = await reviewer.open(`/console/audit?subjectId=${page.split('/').at(-1)}`);
    expect(orders.body).toContain(fixture.operator.operatorId);
  });

  test('shows an Admin what an operator did', async ({ fixture, admin, order }) => {
    const { operatorId } = fixture.operator;
    const { body } = await admin.open(`/console/audit?operatorId=${operatorId}`);
    expect(body).toContain(`href="${order.page}"`);
    expect(body).toContain(`href="/console/audit?operatorId=${operatorId}"`);
  });
});

test('runs the doctor when it is asked to, and shows how to repair what it finds', async ({
  gateway,
  admin,
}) => {
  const vendorId = await seedVendor(gateway.sql);
  const offer = await seedOffer(gateway.sql, vendorId);
  // As if Temporal had lost the run.
  await gateway.sql`delete from outbox where subject_id = ${offer.id}`;
  const page = '/console/stuck';
  expect((await admin.open(page)).body).not.toContain('role="status"');
  const { body } = await admin.open(`${page}?run=true&check=review-without-run`);
  expect(body).toContain('0 of 1 checks found nothing.');
  expect(body).toContain(`href="/console/offers/${offer.id}"`);
  expect(body).toContain('npm run doctor -- --repair --check review-without-run');
  const clean = await admin.open(`${page}?run=true&check=event-gap`);
  expect(clean.body).toContain('1 of 1 checks found nothing.');
});

test.for([
  ['/console/orders', ['Operations', 'Admin']],
  ['/console/catalogue', ['Reviewer', 'Operations', 'Admin']],
  ['/console/audit', ['Admin']],
  ['/console/stuck', ['Admin']],
] as const)(
  '%s is open to %s, and linked for them only',
  async ([path, roles], { reviewer, operations, admin }) => {
    const browsers = { Reviewer: reviewer, Operations: operations, Admin: admin };
    for (const role of operatorRoles) {
      const { [role]: browser } = browsers;
      const isOpen = roles.some((each) => each === role);
      expect((await browser.open(path)).statusCode, role).toBe(isOpen ? 200 : 403);
      expect((await browser.open('/console')).body.includes(`href="${path}"`), role).toBe(isOpen);
    }
  },
);

test('refuses a form that the role does not allow', async ({
  reviewer,
  order: { page, group },
}) => {
  const form = { groupId: group.groupId, status: 'Packed' };
  expect((await reviewer.submit(`${page}/move`, form)).statusCode).toBe(403);
  expect((await reviewer.submit(`${page}/assign`, form)).statusCode).toBe(403);
});

import { expect } from 'vitest';
import { firstOf, newOrderFixture } from '../api/orders/order-fixture.ts';
import { freeFormOffer, newVariant, newVendor } from '../support/api/actors.ts';
import { call, succeeded, textOf, unknownId } from '../support/api/api.ts';
import { seedOffer, seedVendor } from '../support/seeds/seed.ts';
import { consoleTest, failure, hiddenFieldsOf, shows } from './console-fixture.ts';
// The pages of what is recorded: orders and the audit log (D139).

const test = consoleTest
  .extend('fixture', { scope: 'file' }, ({ gateway }) => newOrderFixture(gateway))
  .extend('vendor', { scope: 'file' }, ({ gateway }) => newVendor(gateway))
  .extend('order', async ({ fixture, vendor: { vendorId } }) => {
    const { orderGlobalId, groups } = await fixture.take({ vendorId });
    return { orderGlobalId, group: firstOf(groups), page: `/console/orders/${orderGlobalId}` };
  });

const unsafe = '<b>"&';
const escaped = '&lt;b&gt;&quot;&amp;';

test('lists orders by vendor, status and day', async ({ vendor, operations, order }) => {
  const today = new Date().toISOString().slice(0, 10);
  for (const [query, isListed] of [
    ['status=Pending', true],
    [`from=${today}&to=${today}`, true],
    ['status=Cancelled', false],
    ['to=2020-01-01', false],
  ] as const) {
    const url = `/console/orders?vendorId=${vendor.vendorId}&${query}`;
    const { body } = await operations.open(url);
    expect(body.includes(`href="${order.page}"`), query).toBe(isListed);
  }
  const id = order.orderGlobalId.replace('ord_', '');
  for (const typed of [`ord_${id}`, id, `\u200eORD_${id}\u200f`]) {
    const query = new URLSearchParams({ orderGlobalId: typed });
    const found = await operations.open(`/console/orders?${String(query)}`);
    expect(found.headers['location']).toBe(order.page);
  }
});

test('finds orders by the recipient, by a form whose name stands in no address', async ({
  gateway,
  operations,
  order,
}) => {
  await gateway.sql`
    update orders set ship_recipient = 'Noura Al-Harbi of Jeddah'
    where id = ${order.orderGlobalId.replace('ord_', '')}`;
  const list = await operations.open('/console/orders');
  expect(list.body).toContain('method="post" action="/console/orders/recipient"');
  const search = (recipient: string) =>
    operations.submit('/console/orders/recipient', { recipient });
  const found = await search('noura al harbi of jed');
  expect(found.body).toContain(`href="${order.page}"`);
  expect(found.body).toContain('value="noura al harbi of jed"');
  expect((await search('noura of mecca')).body).not.toContain(`href="${order.page}"`);
  expect(await search(' ')).toMatchObject(shows(400, 'Recipient'));
  // What loads the page again shows the list.
  expect((await operations.open('/console/orders/recipient')).statusCode).toBe(200);
});

test('shows the shipments and the returns of an order', async ({ fixture, operations, order }) => {
  const { orderGlobalId, page, group } = order;
  expect((await operations.open(page)).body).toContain('Nothing of this order comes back.');
  const lines = group.lines.map(({ lineId }) => ({ lineId, quantity: 1, reasonCode: 'Other' }));
  const asked = { orderGlobalId, destination: 'Supplier', lines };
  const id = textOf(succeeded(await fixture.operate('POST', '/returns', asked)), 'id');
  const { body } = await operations.open(page);
  expect(body).toContain(`href="/console/returns/${id}"`);
  for (const shown of [body, await operations.read(`/console/returns/${id}`)])
    expect(shown).toMatch(
      new RegExp(`href="/console/catalogue/${fixture.variantId}"[^]{1,200}<bdi>Brand · Product`),
    );
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
  // A second click finds what it asks for.
  expect(await operations.submit(`${page}/move`, form)).toMatchObject({ statusCode: 303 });
  for (const other of [{ status: 'Packed' }, { trackingRef: 'T-2' }])
    expect(await operations.submit(`${page}/move`, { ...form, ...other })).toMatchObject(
      shows(422, 'BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION'),
    );
});

test('keeps a tracking reference that changes meanwhile, and clears one that is emptied', async ({
  fixture,
  operations,
  order: { group, orderGlobalId, page },
}) => {
  const { groupId } = group;
  const known = async () => (await fixture.operate('GET', `/orders/${orderGlobalId}`)).payload;
  const track = (trackingRef: string) =>
    fixture.operate('PATCH', `/groups/${groupId}`, { trackingRef });
  await track('T-1');
  const shown = hiddenFieldsOf(await operations.read(page), '/move');
  await track('T-2');
  const packed = { ...shown, status: 'Packed', trackingRef: 'T-1' };
  expect((await operations.submit(`${page}/move`, packed)).statusCode).toBe(303);
  expect(await known()).toMatchObject({ groups: [{ status: 'Packed', trackingRef: 'T-2' }] });
  // A refused form does not take the other reference for a change of its own.
  const refused = await operations.submit(`${page}/move`, { ...packed, status: 'Pending' });
  const again = hiddenFieldsOf(refused.body, '/move');
  const shipped = { ...again, status: 'Shipped', trackingRef: '' };
  expect((await operations.submit(`${page}/move`, shipped)).statusCode).toBe(303);
  expect(await known()).toMatchObject({ groups: [{ status: 'Shipped', trackingRef: null }] });
});

test('shows the parts of an address as they are, on lines of their own', async ({
  operations,
  order: { page },
}) => {
  const { body } = await operations.open(page, { 'accept-language': 'ar' });
  expect(body).toMatch(/<bdi>Riyadh<\/bdi><br \/>/);
});

test('assigns a shipment without a vendor', async ({ fixture, operations, vendor }) => {
  const { orderGlobalId, groups } = await fixture.take({ sourcing: true });
  const page = `/console/orders/${orderGlobalId}`;
  expect((await operations.open(page)).body).toContain('No vendor yet');
  const form = { groupId: String(groups[0]?.groupId) };
  const assign = async (vendorId: string) =>
    (await operations.submit(`${page}/assign`, { ...form, vendorId })).statusCode;
  expect(await assign(vendor.vendorId)).toBe(303);
  expect((await operations.open(page)).body).not.toContain('No vendor yet');
  // A second click finds what it asks for.
  expect(await assign(vendor.vendorId)).toBe(303);
  expect(await assign(unknownId())).toBe(422);
});

test('keeps a refused assignment in its group only, with a vendor that a search has found', async ({
  gateway,
  fixture,
  operations,
  intercept,
}) => {
  const { sql } = gateway;
  const { vendorId } = await newVendor(gateway);
  await sql`update vendors set name = 'Zz' where id = ${vendorId}`;
  // More than a choice has.
  for (let count = 0; count < 100; count += 1) await seedVendor(sql);
  const { orderGlobalId, groups } = await fixture.take({ sourcing: true }, { sourcing: true });
  const page = `/console/orders/${orderGlobalId}`;
  const chosen = `<option value="${vendorId}"`;
  expect(await operations.read(page)).not.toContain(chosen);
  const [, last] = groups;
  const form = { groupId: String(last?.groupId) };
  const wrong = await operations.submit(`${page}/assign`, { ...form, vendorId: 'x' });
  expect(wrong.statusCode).toBe(400);
  expect(wrong.body.match(/name="vendorId" aria-invalid="true"/g)).toHaveLength(1);
  const assignment = `/operator/v1/groups/${form.groupId}/assign`;
  intercept(({ url }, call) => (url === assignment ? Promise.resolve(failure(503)) : call()));
  const refused = await operations.submit(`${page}/assign`, { ...form, vendorId });
  expect(refused.statusCode).toBe(503);
  const selected = refused.body.split('name="groupId"').map((part) => /selected>Zz</.test(part));
  expect(selected.filter(Boolean)).toHaveLength(1);
  expect(refused.body).toMatch(
    new RegExp(`value="${form.groupId}"[^]*${chosen} selected>Zz</option>`),
  );
});

const catalogue = '/console/catalogue';
const given = { brandName: unsafe, productName: 'Oud', sizeMl: '50', barcode: '4006381333931' };

test('adds a variant, finds it by words, and links to it', async ({ reviewer }) => {
  const hidden = hiddenFieldsOf(await reviewer.read(catalogue), catalogue);
  const form = { ...hidden, ...given, sku: `SKU-${crypto.randomUUID()}` };
  const refused = await reviewer.submit(catalogue, { ...form, sizeMl: 'large' });
  expect(refused).toMatchObject(shows(400, 'SizeMl '));
  expect(refused.body).toContain(`value="${escaped}"`);
  const added = await reviewer.submit(catalogue, form);
  expect(added.statusCode).toBe(303);
  const page = String(added.headers['location']);
  // A second click adds no other.
  expect((await reviewer.submit(catalogue, form)).headers['location']).toBe(page);
  for (const [code, isFound] of [
    ['', true],
    ['04006381333931', true],
    ['96385074', false],
  ] as const) {
    const { body } = await reviewer.open(`${catalogue}?q=${form.sku}&code=${code}`);
    expect(body.includes(`href="${page}"`), code).toBe(isFound);
  }
  const { body } = await reviewer.open(page);
  expect(body).toContain(`<bdi>${escaped} Oud</bdi>`);
  expect(body).toContain('No offer is matched to it.');
  const wrong = await reviewer.open(`${catalogue}?code=1`);
  expect(wrong.body).toMatch(/barcode must be [^<]+<\/bdi>/);
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
  const switched = await admin.submit(`${page}/active`, { isActive: 'false' });
  expect(switched.statusCode).toBe(303);
  expect((await admin.open(page)).body).toContain('Activate…');
});
test('shows in the audit log who changed what of a subject, also to a Reviewer', async ({
  fixture,
  operations,
  reviewer,
  order: { group, page },
}) => {
  const { groupId } = group;
  await operations.submit(`${page}/move`, { groupId, status: 'Packed', trackingRef: unsafe });
  const { body } = await reviewer.open(`/console/audit?subjectId=${groupId}`);
  expect(body).toContain('group.update');
  expect(body).toContain(`→ <bdi>${escaped}`);
  expect(body).not.toContain('operatorId=');
  const orders = await reviewer.open(`/console/audit?subjectId=${page.split('/').at(-1)}`);
  expect(orders.body).toContain(fixture.operator.operatorId);
  expect(orders.body).not.toContain(`href="${page}"`);
});

test('filters the audit log by action and day', async ({ admin }) => {
  const today = new Date().toISOString().slice(0, 10);
  const page = (await admin.open(`/console/audit?from=${today}&action=operator.create`)).body;
  expect(page).toMatch(new RegExp(`name="from" value="${today}" type="date"`));
  const { body } = await admin.open('/console/audit?to=2020-01-01');
  expect(body).toContain('Nothing has this filter.');
  const none = (await admin.open(`/console/audit?from=${today}&action=nothing`)).body;
  expect(none).toContain('Nothing has this filter.');
});

test('shows an Admin in the audit log what an operator did', async ({ fixture, admin, order }) => {
  const { operatorId } = fixture.operator;
  const { body } = await admin.open(`/console/audit?operatorId=${operatorId}`);
  expect(body).toContain(`href="${order.page}"`);
  expect(body).toContain(`href="/console/audit?operatorId=${operatorId}"`);
});

test('runs the doctor when its form is sent, never by a link, and shows how to repair what it finds', async ({
  gateway,
  admin,
}) => {
  const offer = await seedOffer(gateway.sql, await seedVendor(gateway.sql));
  // As if Temporal had lost the run.
  await gateway.sql`delete from outbox where subject_id = ${offer.id}`;
  const page = '/console/stuck';
  // A link may be one of another site, which the browser follows with its session.
  for (const link of [page, `${page}?run=true`, `${page}?check=review-without-run`])
    expect((await admin.open(link)).body).not.toContain('of 1 checks');
  const { body } = await admin.submit(page, { check: 'review-without-run' });
  expect(body).toContain('0 of 1 checks found nothing.');
  expect(body).toContain(`href="/console/offers/${offer.id}"`);
  expect(body).toContain('npm run doctor -- --repair --check review-without-run');
  const clean = await admin.submit(page, { check: 'event-gap' });
  expect(clean.body).toContain('1 of 1 checks found nothing.');
});

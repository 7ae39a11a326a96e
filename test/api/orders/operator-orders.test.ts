import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { expect } from 'vitest';
import { createOrder, ownStatements } from '../../../api/orders/create-order.ts';
import { orderBody } from '../../../api/orders/order-body.ts';
import { insertOrders, type OrderToStore } from '../../../db/orders/insert-orders.ts';
import { ask } from '../error-codes/http.ts';
import { appWith } from '../error-codes/slow-app.ts';
import { holdLock, untilLockWaits } from '../../support/database/locks.ts';
import { addSubscription, addVendor } from '../../db/support.ts';
import { newVariant, newVendor } from '../../support/api/actors.ts';
import { fieldErrorsOf, itemsOf, refusal, succeeded, unknownId } from '../../support/api/api.ts';
import { instant, uuid } from '../../support/api/matchers.ts';
import { auditOf } from '../offers/offer-record.ts';
import { expectUnchanged, orderTest, shipTo, type TakenOrder } from './order-fixture.ts';

// Operators create and read orders. The body has its cases in `order-body.test.ts`, query
// parameters in `test/api/validation/query.test.ts`, roles in `test/api/operator/roles.test.ts`.

const test = orderTest.extend(
  'list',
  ({ fixture }) =>
    async (query: string) =>
      itemsOf(succeeded(await fixture.operate('GET', `/orders?${query}`))),
);

const line = (variantId: string, quantity = 1) => ({ variantId, quantity });

test.beforeAll(async ({ gateway, vendor }) => {
  await addSubscription(gateway.sql, vendor.vendorId, ['vendor.order.assigned']);
});

test('stores an order with its groups, and an audit entry without the address', async ({
  gateway,
  fixture,
  vendor,
}) => {
  const { id: inactive, sku } = await newVariant(gateway, { isActive: false });
  const { vendorId } = vendor;
  const { variantId } = fixture;
  const body = fixture.bodyOf(
    { vendorId, lines: [line(variantId, 3), line(inactive, 2)] },
    { vendorId: null, carrier: 'Other', carrierNameOther: 'Van' },
    { sourcing: true },
    { vendorId: null, sourcing: false, carrier: 'CarrierC' },
  );
  const response = await fixture.operate('POST', '/orders', body);
  const known = { lineId: uuid, variantId, sku: expect.stringMatching(/^SKU-/), quantity: 1 };
  expect(response).toMatchObject({ status: 201, state: 'SUCCESS', details: {} });
  const group = { groupId: uuid, vendorId: null, status: 'Pending', lines: [known] };
  const inactiveLine = { lineId: uuid, variantId: inactive, sku, quantity: 2 };
  expect(response.payload).toStrictEqual({
    orderGlobalId: expect.stringMatching(/^ord_[\da-f-]{36}$/),
    groups: [
      { ...group, vendorId, lines: [{ ...known, quantity: 3 }, inactiveLine] },
      group,
      { ...group, status: 'PendingSourcing' },
      group,
    ],
  });
  const payload = response.payload as TakenOrder;
  const ids = payload.groups.map(({ groupId }) => groupId);
  const rows = await gateway.sql`
    select concat_ws(' ', carrier, carrier_name_other) as carrier from fulfilment_groups
    where id = any(${ids}) order by id`;
  const carriers = rows.map(({ carrier }) => carrier as string);
  expect(carriers).toEqual(['CarrierA', 'Other Van', 'CarrierA', 'CarrierC']);
  const audit = await auditOf(gateway.sql, payload.orderGlobalId.slice('ord_'.length));
  const groups = payload.groups.map(({ lines: _lines, ...one }) => one);
  const action = { operatorId: fixture.operator.id, action: 'order.create', subjectType: 'order' };
  expect(audit).toMatchObject([{ ...action, before: null, after: { groups } }]);
  for (const secret of Object.values(shipTo).filter((text) => text.length > 2))
    expect(JSON.stringify(audit)).not.toContain(secret);
});

test('stores concurrent orders in shared transactions, and returns each its own result', async ({
  gateway,
  fixture,
}) => {
  const unknown = fixture.bodyOf({ vendorId: null, lines: [line(unknownId())] });
  const refusing = Array.from({ length: 6 }, () => fixture.operate('POST', '/orders', unknown));
  const responses = await Promise.all(
    Array.from({ length: 24 }, (_item, index) =>
      fixture.take({ vendorId: null, lines: [line(fixture.variantId, index + 1)] }),
    ),
  );
  for (const refused of await Promise.all(refusing))
    expect(fieldErrorsOf(refused)).toEqual(['Groups[0].Lines[0].VariantId unknown']);
  const ids = responses.map(({ orderGlobalId }) => orderGlobalId.slice('ord_'.length));
  expect(new Set(ids).size).toBe(24);
  const stored = await gateway.sql<{ transaction: string; quantity: number }[]>`
    select orders.xmin::text as transaction, quantity from orders
    join fulfilment_groups on fulfilment_groups.order_id = orders.id
    join order_lines on order_lines.group_id = fulfilment_groups.id
    where orders.id = any(${ids}::uuid[]) order by array_position(${ids}::uuid[], orders.id)`;
  expect(stored.map(({ quantity }) => quantity)).toEqual(ids.map((_id, index) => index + 1));
  expect(new Set(stored.map(({ transaction }) => transaction)).size).toBeLessThan(12);
});

test('returns 201, not 504, for an order that waits for the statement of earlier ones (D123)', async ({
  gateway,
  fixture,
  vendor,
}) => {
  const app = await appWith(gateway.dependencies, { handlerTimeoutMs: 300 });
  const { token } = fixture.operator;
  const body = fixture.bodyOf({ vendorId: vendor.vendorId });
  const take = () => ask(app, 'POST', '/operator/v1/orders', { token, body });
  expect(await take()).toMatchObject({ status: 201 });
  const release = await holdLock(
    gateway.sql,
    gateway.sql`select lock_event_sequence(${vendor.vendorId})`,
  );
  const taken = [take()];
  await untilLockWaits(gateway.sql, 1);
  taken.push(take());
  await delay(1000);
  await release();
  expect((await Promise.all(taken)).map(({ status }) => status)).toEqual([201, 201]);
});

test('refuses unknown variants and vendors, each by its index, and stores nothing', async ({
  gateway,
  fixture,
  vendor: { vendorId },
}) => {
  const away = await newVendor(gateway, { isActive: false });
  const [known, unknown] = [line(fixture.variantId), line(unknownId())];
  const body = fixture.bodyOf(
    { vendorId, lines: [known, unknown] },
    { vendorId: unknownId() },
    { vendorId: away.vendorId, lines: [unknown, known] },
  );
  const post = () => fixture.operate('POST', '/orders', body);
  const refused = await expectUnchanged(gateway, post, refusal('VALIDATION_ERRORS'));
  expect(fieldErrorsOf(refused)).toEqual([
    'Groups[0].Lines[1].VariantId unknown',
    'Groups[1].VendorId unknown',
    'Groups[2].Lines[0].VariantId unknown',
    'Groups[2].VendorId unknown',
  ]);
});

test.for(['deactivates the vendor', 'deletes the variant'])(
  'refuses an order, and stores nothing, if another transaction %s before the insert',
  async (change, { gateway: { sql }, fixture }) => {
    const [vendorId, { id: variantId }] = [await addVendor(sql), await newVariant({ sql })];
    const store = async (order: OrderToStore): Promise<void> => {
      await (change === 'deactivates the vendor'
        ? sql`update vendors set is_active = false where id = ${vendorId}`
        : sql`delete from variants where id = ${variantId}`);
      await insertOrders(sql, [order]);
    };
    const body = v.parse(orderBody, fixture.bodyOf({ vendorId, lines: [line(variantId)] }));
    await expect(
      createOrder({ ...ownStatements(sql), store }, body, () => null),
    ).rejects.toMatchObject({
      code: 'VALIDATION_ERRORS',
    });
    expect(await sql`select from fulfilment_groups where vendor_id = ${vendorId}`).toEqual([]);
    expect(await sql`select from webhook_events where vendor_id = ${vendorId}`).toEqual([]);
  },
);

test('reads an order as created, its address in each group', async ({ gateway, fixture, list }) => {
  const { vendorId } = await newVendor(gateway);
  const order = await fixture.take({ vendorId }, { sourcing: true }, { vendorId: null });
  const { orderGlobalId, groups } = order;
  const listed = await list(`vendorId=${vendorId.toUpperCase()}`);
  expect(listed).toStrictEqual([{ ...order, createdAt: instant }]);
  expect(JSON.stringify(listed)).not.toContain(shipTo.phone);
  const response = await fixture.operate('GET', `/orders/${orderGlobalId}`);
  expect(response).toMatchObject({
    status: 200,
    payload: {
      orderGlobalId,
      createdAt: listed[0]?.['createdAt'],
      groups: groups.map((group) => ({ ...group, orderGlobalId, shipPhone: shipTo.phone })),
    },
  });
  for (const id of [`ord_${unknownId()}`, unknownId(), 'ord_1', '1'])
    expect(await fixture.operate('GET', `/orders/${id}`)).toMatchObject(refusal('NOT_FOUND_ORDER'));
});

test('lists each order once, by a group with both vendor and status, newest first', async ({
  gateway,
  fixture,
  list,
}) => {
  const [vendor, other] = [await newVendor(gateway), await newVendor(gateway)];
  const { vendorId } = vendor;
  const first = await fixture.take({ vendorId }, { vendorId });
  const second = await fixture.take({ vendorId: other.vendorId }, { vendorId });
  await fixture.send(vendor, 'POST', `/${second.groups[1]?.groupId}/pack`);
  const idsOf = async (query: string) =>
    (await list(query)).map(({ orderGlobalId }) => orderGlobalId);
  const own = `vendorId=${vendorId}`;
  expect(await idsOf(own)).toEqual([second.orderGlobalId, first.orderGlobalId]);
  expect(await idsOf(`${own}&pageSize=1&page=2`)).toEqual([first.orderGlobalId]);
  expect(await idsOf(`${own}&status=Packed`)).toEqual([second.orderGlobalId]);
  const packed = await fixture.operate('GET', `/orders?${own}&status=Packed`);
  expect(packed.payload).toMatchObject({ pagination: { totalCount: 1 } });
  expect(await idsOf(`${own}&status=Pending`)).toEqual([first.orderGlobalId]);
  expect(await idsOf(`vendorId=${other.vendorId}&status=Packed`)).toEqual([]);
  expect((await idsOf('')).slice(0, 2)).toEqual([second.orderGlobalId, first.orderGlobalId]);
  const [newest] = await list(own);
  const at = String(newest?.['createdAt']);
  const later = new Date(Date.parse(at) + 1).toISOString();
  expect(await idsOf(`${own}&from=${at}`)).toContain(second.orderGlobalId);
  expect(await idsOf(`${own}&from=${later}`)).toEqual([]);
  expect(await idsOf(`${own}&status=Packed&to=${later}`)).toEqual([second.orderGlobalId]);
  expect(await fixture.operate('GET', `/orders?from=${later}&to=${at}`)).toMatchObject(
    refusal('VALIDATION_INVALID_DATE'),
  );
});

test('finds orders by a part of the name of the recipient, as a person types it', async ({
  gateway,
  fixture,
}) => {
  const { vendorId } = await newVendor(gateway);
  const { orderGlobalId } = await fixture.take({ vendorId });
  await gateway.sql`
    update orders set ship_recipient = 'أ. نُورة   العُتيبي'
    where id = ${orderGlobalId.replace('ord_', '')}`;
  const search = async (recipient: string, range: Readonly<Record<string, string | null>> = {}) => {
    const found = await fixture.operate('POST', '/orders/search', { recipient, ...range });
    return (found.payload as { items: readonly { orderGlobalId: string }[] }).items;
  };
  for (const recipient of ['نورة العتيبي', 'عتيبي', '\u200fنوره'])
    expect(await search(recipient), recipient).toMatchObject([{ orderGlobalId }]);
  expect(await search('نورة الحربي')).toEqual([]);
  expect(await search('!')).toEqual([]);
  expect(await search('عتيبي', { to: '2020-01-01T00:00:00Z' })).toEqual([]);
  expect(await search('عتيبي', { from: null, to: null })).toMatchObject([{ orderGlobalId }]);
  const reversed = { from: '2026-12-01T00:00:00Z', to: '2026-11-01T00:00:00Z' };
  expect(
    await fixture.operate('POST', '/orders/search', { recipient: 'a', ...reversed }),
  ).toMatchObject(refusal('VALIDATION_INVALID_DATE'));
  const [found] = await search('عتيبي');
  expect(JSON.stringify(found)).not.toContain('نُورة');
  for (const wrong of [{}, { recipient: ' ' }, { recipient: 'a', name: 'b' }])
    expect(await fixture.operate('POST', '/orders/search', wrong)).toMatchObject(
      refusal('VALIDATION_ERRORS'),
    );
});

test('finds an order by the references of its shipments, whatever their letter case', async ({
  gateway,
  fixture,
  list,
}) => {
  const vendor = await newVendor(gateway);
  const { vendorId } = vendor;
  const order = await fixture.take({ vendorId }, { vendorId });
  await fixture.take({ vendorId });
  const reference = unknownId();
  const [first, second] = order.groups;
  await fixture.send(vendor, 'PATCH', `/${first?.groupId}`, { vendorOrderId: reference });
  const trackingRef = `T-${reference} \u0664\u0662`;
  await fixture.send(vendor, 'PATCH', `/${second?.groupId}`, { trackingRef });
  for (const asked of [
    reference.toUpperCase(),
    encodeURIComponent(trackingRef.toLowerCase()),
    `${reference}&vendorId=${vendorId}`,
  ])
    expect(await list(`reference=${asked}`)).toMatchObject([
      { orderGlobalId: order.orderGlobalId },
    ]);
  expect(await list(`reference=${reference.slice(1)}`)).toEqual([]);
  expect(await list(`reference=${reference}&status=Shipped`)).toEqual([]);
});

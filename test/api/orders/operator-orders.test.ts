import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { ask } from '../error-codes/http.ts';
import { appWith } from '../error-codes/slow-app.ts';
import { holdLock, untilLockWaits } from '../../support/database/locks.ts';
import { addSubscription } from '../../db/support.ts';
import { newVariant } from '../support/actors.ts';
import { firstOf, shipTo, type TakenOrder } from './order-fixture.ts';
import { auditOf } from '../offers/offer-record.ts';
import { test, post, line } from './operator-orders-fixture.ts';

test.beforeAll(async ({ gateway, vendor }) => {
  await addSubscription(gateway.sql, vendor.vendorId, ['vendor.order.assigned']);
});
const uuid = expect.stringMatching(/^[\da-f-]{36}$/);

test('an order is stored with its groups: a vendor’s, the service’s and one in sourcing', async ({
  gateway,
  fixture,
  vendor,
}) => {
  const { id: inactive, sku } = await newVariant(gateway, { isActive: false });
  const { vendorId } = vendor;
  const answer = await post(
    fixture,
    fixture.bodyOf(
      { vendorId, lines: [line(fixture, 3), line(fixture, 2, inactive)] },
      { vendorId: null, carrier: 'Other', carrierNameOther: 'Van' },
      { sourcing: true },
      { vendorId: null, sourcing: false, carrier: 'CarrierC' },
    ),
  );
  const known = {
    lineId: uuid,
    variantId: fixture.variantId,
    sku: expect.stringMatching(/^SKU-/),
    quantity: 1,
  };
  expect(answer).toMatchObject({ status: 201, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({
    orderGlobalId: expect.stringMatching(/^ord_[\da-f-]{36}$/),
    groups: [
      {
        groupId: uuid,
        vendorId,
        status: 'Pending',
        lines: [
          { ...known, quantity: 3 },
          { lineId: uuid, variantId: inactive, sku, quantity: 2 },
        ],
      },
      { groupId: uuid, vendorId: null, status: 'Pending', lines: [known] },
      { groupId: uuid, vendorId: null, status: 'PendingSourcing', lines: [known] },
      { groupId: uuid, vendorId: null, status: 'Pending', lines: [known] },
    ],
  });
  const { groups } = answer.payload as TakenOrder;
  const ids = groups.flatMap(({ groupId, lines }) => [
    groupId,
    ...lines.map(({ lineId }) => lineId),
  ]);
  expect(new Set(ids).size).toBe(9);
  const rows = await gateway.sql`
    select carrier, carrier_name_other as name from fulfilment_groups
    where id = any(${groups.map(({ groupId }) => groupId)}) order by id`;
  expect(rows.map(({ carrier, name }) => [carrier, name])).toEqual([
    ['CarrierA', null],
    ['Other', 'Van'],
    ['CarrierA', null],
    ['CarrierC', null],
  ]);
});

test('who took it in, and in which groups, is in the audit log; where it goes is not', async ({
  gateway,
  fixture,
  vendor,
}) => {
  const order = await fixture.take({ vendorId: vendor.vendorId }, { sourcing: true });
  const [entry, ...others] = await auditOf(gateway.sql, order.orderGlobalId.slice(4));
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    operatorId: fixture.operator.id,
    action: 'order.create',
    subjectType: 'order',
    before: null,
    after: { groups: order.groups.map(({ lines: _lines, ...group }) => group) },
  });
  for (const secret of Object.values(shipTo).filter((text) => text.length > 2)) {
    expect(JSON.stringify(entry)).not.toContain(secret);
  }
});

test('null and blank say nothing, and ids may come in capitals', async ({
  gateway,
  fixture,
  vendor,
}) => {
  const body = {
    shipTo: { ...shipTo, line2: null, region: ' ', postalCode: '' },
    groups: [
      {
        vendorId: vendor.vendorId.toUpperCase(),
        carrier: 'CarrierB',
        carrierNameOther: ' ',
        lines: [line(fixture, 1, fixture.variantId.toUpperCase())],
      },
    ],
  };
  const { groups } = (await post(fixture, body)).payload as TakenOrder;
  expect(firstOf(groups)).toMatchObject({
    vendorId: vendor.vendorId,
    lines: [{ variantId: fixture.variantId }],
  });
  const [row] = await gateway.sql`
    select ship_line2, ship_region, ship_postal_code from orders
    where id = (select order_id from fulfilment_groups
      where fulfilment_groups.id = ${firstOf(groups).groupId})`;
  expect(row).toEqual({ shipLine2: null, shipRegion: null, shipPostalCode: null });
});

test('orders that come together share transactions, and each gets its own answer', async ({
  gateway,
  fixture,
}) => {
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_item, index) =>
      fixture.take({ vendorId: null, lines: [line(fixture, index + 1)] }),
    ),
  );
  const ids = answers.map(({ orderGlobalId }) => orderGlobalId.slice('ord_'.length));
  expect(new Set(ids).size).toBe(24);
  const stored = await gateway.sql<{ transaction: string; quantity: number }[]>`
    select orders.xmin::text as transaction, quantity from orders
    join fulfilment_groups on fulfilment_groups.order_id = orders.id
    join order_lines on order_lines.group_id = fulfilment_groups.id
    where orders.id = any(${ids}::uuid[]) order by array_position(${ids}::uuid[], orders.id)`;
  expect(stored.map(({ quantity }) => quantity)).toEqual(ids.map((_id, index) => index + 1));
  expect(new Set(stored.map(({ transaction }) => transaction)).size).toBeLessThan(12);
});

test('an order that waits for the statement of earlier ones is not 504 and stored afterwards (D123)', async ({
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

import { afterAll, beforeAll, expect, test } from 'vitest';
import { addSubscription } from '../../db/support.ts';
import { newVendor, type TestVendor } from '../support/actors.ts';
import { firstOf, newOrderBench, shipTo, succeeded, type OrderBench } from './order-fixture.ts';
import { startGateway, type Gateway } from '../support/api.ts';

// `vendor.order.assigned`: once for each group that becomes a vendor's, in the transaction that makes it so (D47).

let gateway: Gateway;
let bench: OrderBench;

beforeAll(async () => {
  gateway = await startGateway();
  bench = await newOrderBench(gateway);
});
afterAll(() => gateway.close());

async function newSubscriber(): Promise<TestVendor> {
  const vendor = await newVendor(gateway);
  await addSubscription(gateway.sql, vendor.vendorId, ['vendor.order.assigned']);
  return vendor;
}
const eventsOf = ({ vendorId }: TestVendor) => gateway.sql<{ id: string; body: string }[]>`
  select id, body from webhook_events where vendor_id = ${vendorId} order by id`;
const groupsTold = async (vendor: TestVendor) =>
  (await eventsOf(vendor)).map(
    ({ body }) => (JSON.parse(body) as { data: { groupId: string } }).data.groupId,
  );
const deliveriesOf = ({ vendorId }: TestVendor) => gateway.sql`
  select from webhook_deliveries join outbox on outbox.subject_id = webhook_deliveries.id
  where webhook_deliveries.vendor_id = ${vendorId} and outbox.kind = 'webhookDelivery'`;
const assign = (groupId: string, { vendorId }: TestVendor) =>
  bench.operate('POST', `/groups/${groupId}/assign`, { vendorId });

/** Undoes every transaction that comes as far as its audit entry, while `work` runs. */
async function whileAuditFails(work: () => Promise<void>): Promise<void> {
  const { sql } = gateway;
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'no audit today'; end $$`;
  await sql`create trigger refused before insert on audit_log for each row execute function refuse()`;
  try {
    await work();
  } finally {
    await sql`drop trigger refused on audit_log`;
    await sql`drop function refuse()`;
  }
}

test.each(['order intake', 'assignment'])(
  'by %s the vendor is told once, to the letter: no address, no money, nobody else',
  async (way) => {
    const [vendor, sibling] = [await newSubscriber(), await newSubscriber()];
    const lines = [
      { variantId: bench.variantId, quantity: 3 },
      { variantId: bench.variantId, quantity: 1 },
    ];
    const isIntake = way === 'order intake';
    const given = isIntake ? { vendorId: vendor.vendorId } : { sourcing: true };
    const order = await bench.take({ ...given, lines }, { vendorId: sibling.vendorId });
    const group = firstOf(order.groups);
    if (!isIntake) {
      expect(await eventsOf(vendor)).toEqual([]);
      succeeded(await assign(group.groupId, vendor));
    }
    const events = await eventsOf(vendor);
    expect(events).toHaveLength(1);
    const { id, body } = firstOf(events);
    expect(JSON.parse(body)).toStrictEqual({
      eventId: id,
      eventType: 'vendor.order.assigned',
      occurredAt: expect.stringMatching(/^\d{4}-.*Z$/),
      apiVersion: 'v1',
      vendorId: vendor.vendorId,
      test: false,
      data: {
        groupId: group.groupId,
        orderGlobalId: order.orderGlobalId,
        status: 'Pending',
        lines: group.lines,
      },
    });
    expect(id).toMatch(/^evt_[\da-f]{8}-[\da-f]{4}-7/);
    const { operator } = bench;
    const places = Object.values(shipTo).filter((text) => text.length > 2);
    for (const secret of [
      ...places,
      sibling.vendorId,
      operator.id,
      operator.operatorId,
      'CarrierA',
    ]) {
      expect(body).not.toContain(secret);
    }
    expect(await deliveriesOf(vendor)).toHaveLength(1);
  },
);

test('of an order each vendor is told of each of its groups, and no one of the others', async () => {
  const [one, other] = [await newSubscriber(), await newSubscriber()];
  const { groups } = await bench.take(
    { vendorId: one.vendorId },
    { vendorId: null },
    { vendorId: other.vendorId },
    { sourcing: true },
    { vendorId: one.vendorId },
  );
  const idsOf = ({ vendorId }: TestVendor) =>
    groups.filter((group) => group.vendorId === vendorId).map(({ groupId }) => groupId);
  for (const vendor of [one, other]) {
    expect((await groupsTold(vendor)).toSorted()).toEqual(idsOf(vendor).toSorted());
  }
  expect([idsOf(one), idsOf(other)]).toMatchObject([{ length: 2 }, { length: 1 }]);
});

test('two subscriptions of one vendor get the same event', async () => {
  const vendor = await newSubscriber();
  await addSubscription(gateway.sql, vendor.vendorId, ['vendor.order.assigned']);
  await bench.take({ vendorId: vendor.vendorId });
  expect(await eventsOf(vendor)).toHaveLength(1);
  expect(await deliveriesOf(vendor)).toHaveLength(2);
});

test('of nothing that happens to a group afterwards is the vendor told again', async () => {
  const vendor = await newSubscriber();
  const { groupId } = firstOf((await bench.take({ sourcing: true })).groups);
  succeeded(await assign(groupId, vendor));
  await assign(groupId, vendor);
  succeeded(await bench.send(vendor, 'POST', `/${groupId}/pack`));
  succeeded(await bench.send(vendor, 'PATCH', `/${groupId}`, { trackingRef: 'T-1' }));
  for (const status of ['Shipped', 'Delivered', 'Returned']) {
    succeeded(await bench.operate('PATCH', `/groups/${groupId}`, { status }));
  }
  expect(await groupsTold(vendor)).toEqual([groupId]);
});

test('nothing is stored where nobody is subscribed, or to another type only, or inactively', async () => {
  const [silent, other, asleep] = [
    await newVendor(gateway),
    await newVendor(gateway),
    await newSubscriber(),
  ];
  await addSubscription(gateway.sql, other.vendorId, ['vendor.offer.review-decision']);
  await gateway.sql`update webhook_subscriptions set is_active = false where vendor_id = ${asleep.vendorId}`;
  for (const vendor of [silent, other, asleep]) {
    await bench.take({ vendorId: vendor.vendorId });
    const { groupId } = firstOf((await bench.take({ sourcing: true })).groups);
    succeeded(await assign(groupId, vendor));
    expect(await eventsOf(vendor)).toEqual([]);
    expect(await deliveriesOf(vendor)).toEqual([]);
  }
});

test('nobody is told of an assignment or an order that was refused', async () => {
  const [vendor, inactive] = [await newSubscriber(), await newSubscriber()];
  await gateway.sql`update vendors set is_active = false where id = ${inactive.vendorId}`;
  const { groups } = await bench.take({ sourcing: true }, { vendorId: null });
  const [waiting = '', services = ''] = groups.map(({ groupId }) => groupId);
  expect(await assign(waiting, inactive)).toMatchObject({ status: 400 });
  expect(await assign(services, vendor)).toMatchObject({ status: 422 });
  const body = bench.bodyOf({ vendorId: vendor.vendorId }, { vendorId: inactive.vendorId });
  expect(await bench.operate('POST', '/orders', body)).toMatchObject({ status: 400 });
  expect([...(await eventsOf(vendor)), ...(await eventsOf(inactive))]).toEqual([]);
});

test('nobody is told of an assignment or an order that was rolled back, and none of it stays', async () => {
  const vendor = await newSubscriber();
  const { groupId } = firstOf((await bench.take({ sourcing: true })).groups);
  await whileAuditFails(async () => {
    expect(await assign(groupId, vendor)).toMatchObject({ status: 500, state: 'INTERNAL_ERROR' });
    const body = bench.bodyOf({ vendorId: vendor.vendorId });
    expect(await bench.operate('POST', '/orders', body)).toMatchObject({ status: 500 });
  });
  expect(await eventsOf(vendor)).toEqual([]);
  expect((await bench.send(vendor, 'GET', '')).payload).toMatchObject({ items: [] });
  succeeded(await assign(groupId, vendor));
  expect(await groupsTold(vendor)).toEqual([groupId]);
});

test('of twenty assignments at once one is made, and its vendor alone is told, once', async () => {
  const vendors = await Promise.all(Array.from({ length: 20 }, newSubscriber));
  const { groupId } = firstOf((await bench.take({ sourcing: true })).groups);
  const answers = await Promise.all(vendors.map((vendor) => assign(groupId, vendor)));
  const winner = firstOf(answers.filter(({ status }) => status === 200)).payload?.['vendorId'];
  for (const vendor of vendors) {
    expect(await groupsTold(vendor)).toEqual(vendor.vendorId === winner ? [groupId] : []);
  }
});

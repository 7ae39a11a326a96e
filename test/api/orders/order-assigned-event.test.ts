import { expect } from 'vitest';
import { addSubscription } from '../../db/support.ts';
import { newVendor, type TestVendor } from '../../support/api/actors.ts';
import {
  firstOf,
  orderTest as test,
  shipTo,
  succeeded,
  type OrderFixture,
} from './order-fixture.ts';
import { type Gateway } from '../../support/api/api.ts';
// `vendor.order.assigned`: once for each group that becomes a vendor's, in the transaction that
// makes it so (D47).

async function newSubscriber(gateway: Gateway): Promise<TestVendor> {
  const vendor = await newVendor(gateway);
  await addSubscription(gateway.sql, vendor.vendorId, ['vendor.order.assigned']);
  return vendor;
}
const eventsOf = (gateway: Gateway, { vendorId }: TestVendor) => gateway.sql<
  { id: string; body: string; groupId: string }[]
>`
  select id, body, body::jsonb #>> '{data,groupId}' as group_id from webhook_events
  where vendor_id = ${vendorId} order by id`;
const groupsOf = async (gateway: Gateway, vendor: TestVendor) =>
  (await eventsOf(gateway, vendor)).map(({ groupId }) => groupId);
const deliveriesOf = (gateway: Gateway, { vendorId }: TestVendor) => gateway.sql`
  select from webhook_deliveries join outbox on outbox.subject_id = webhook_deliveries.id
  where webhook_deliveries.vendor_id = ${vendorId} and outbox.kind = 'webhookDelivery'`;
const assign = (fixture: OrderFixture, groupId: string, { vendorId }: TestVendor) =>
  fixture.operate('POST', `/groups/${groupId}/assign`, { vendorId });

/** Undoes every transaction that comes as far as its audit entry, while `work` runs. */
async function whileAuditFails(gateway: Gateway, work: () => Promise<void>): Promise<void> {
  const { sql } = gateway;
  await sql`
    create function refuse() returns trigger language plpgsql
    as $$ begin raise 'no audit today'; end $$`;
  await sql`
    create trigger refused before insert on audit_log for each row execute function refuse()`;
  try {
    await work();
  } finally {
    await sql`drop trigger refused on audit_log`;
    await sql`drop function refuse()`;
  }
}

test.for(['order intake', 'assignment'])(
  'by %s the vendor gets one event with exactly these fields, and no other vendor gets one',
  async (way, { gateway, fixture }) => {
    const [vendor, sibling] = [await newSubscriber(gateway), await newSubscriber(gateway)];
    const lines = [
      { variantId: fixture.variantId, quantity: 3 },
      { variantId: fixture.variantId, quantity: 1 },
    ];
    const isIntake = way === 'order intake';
    const given = isIntake ? { vendorId: vendor.vendorId } : { sourcing: true };
    const order = await fixture.take({ ...given, lines }, { vendorId: sibling.vendorId });
    const group = firstOf(order.groups);
    if (!isIntake) {
      expect(await eventsOf(gateway, vendor)).toEqual([]);
      succeeded(await assign(fixture, group.groupId, vendor));
    }
    const events = await eventsOf(gateway, vendor);
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
      sequence: 1,
    });
    expect(id).toMatch(/^evt_[\da-f]{8}-[\da-f]{4}-7/);
    const { operator } = fixture;
    const address = Object.values(shipTo).filter((text) => text.length > 2);
    const staff = [operator.id, operator.operatorId];
    for (const secret of [...address, ...staff, sibling.vendorId, 'CarrierA'])
      expect(body).not.toContain(secret);
    expect(await deliveriesOf(gateway, vendor)).toHaveLength(1);
  },
);

test('each vendor of an order gets an event for each of its groups, none for another’s', async ({
  gateway,
  fixture,
}) => {
  const [one, other] = [await newSubscriber(gateway), await newSubscriber(gateway)];
  const { groups } = await fixture.take(
    { vendorId: one.vendorId },
    { vendorId: null },
    { vendorId: other.vendorId },
    { sourcing: true },
    { vendorId: one.vendorId },
  );
  const idsOf = ({ vendorId }: TestVendor) =>
    groups.filter((group) => group.vendorId === vendorId).map(({ groupId }) => groupId);
  for (const vendor of [one, other])
    expect((await groupsOf(gateway, vendor)).toSorted()).toEqual(idsOf(vendor).toSorted());
  expect([idsOf(one), idsOf(other)]).toMatchObject([{ length: 2 }, { length: 1 }]);
});

test('an assignment or order that is rolled back gives no event and leaves no row', async ({
  gateway,
  fixture,
}) => {
  const vendor = await newSubscriber(gateway);
  const { groupId } = firstOf((await fixture.take({ sourcing: true })).groups);
  await whileAuditFails(gateway, async () => {
    expect(await assign(fixture, groupId, vendor)).toMatchObject({ status: 500 });
    const body = fixture.bodyOf({ vendorId: vendor.vendorId });
    expect(await fixture.operate('POST', '/orders', body)).toMatchObject({ status: 500 });
  });
  expect(await eventsOf(gateway, vendor)).toEqual([]);
  expect((await fixture.send(vendor, 'GET', '')).payload).toMatchObject({ items: [] });
  succeeded(await assign(fixture, groupId, vendor));
  expect(await groupsOf(gateway, vendor)).toEqual([groupId]);
});

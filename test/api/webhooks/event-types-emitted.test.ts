import { expect } from 'vitest';
import { insertReturn, lockReturn } from '../../../db/returns/return-requests.ts';
import type { EventType } from '../../../domain/webhooks/events.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { newOrderFixture, firstOf } from '../orders/order-fixture.ts';
import { newReturnFixture, succeeded } from '../returns/return-fixture.ts';
import { newOperator, newVendor } from '../../support/api/actors.ts';
import { call, type Gateway } from '../../support/api/api.ts';
import { newSchemaValidator } from '../../support/api/openapi-document.ts';

// The events beside those of the specification (D99): each once, in the transaction of its change.

const test = gatewayTest.extend('returns', { scope: 'file' }, ({ gateway }) =>
  newReturnFixture(gateway),
);

type Event = { readonly eventType: EventType; readonly sequence: number; readonly data: object };

async function eventsOf(gateway: Gateway, vendorId: string): Promise<readonly Event[]> {
  const rows = await gateway.sql<{ body: string }[]>`
    select body from webhook_events where vendor_id = ${vendorId} order by sequence`;
  return rows.map(({ body }) => JSON.parse(body) as Event);
}

const about = (events: readonly Event[], id: string): readonly Event[] =>
  events.filter(({ data }) => Object.values(data).includes(id));

// What the data of each says has its cases in `test/domain/returns/return-event.test.ts`.
test('emits one event for each step of a return to a supplier, without staff', async ({
  gateway,
  returns,
}) => {
  const id = await returns.returnIn('RefundReleased');
  const sorted = await returns.returnIn('UnderInspection', { destination: 'SortingPoint' });
  const all = await eventsOf(gateway, returns.vendor.vendorId);
  const events = about(all, id);
  const decided = { status: 'InspectionAccepted', outcome: 'AcceptedSound', decidedBy: 'Staff' };
  expect(events).toMatchObject([
    { eventType: 'vendor.return.requested', data: { returnId: id, status: 'Pending' } },
    { eventType: 'vendor.return.received', data: { status: 'Received' } },
    { eventType: 'vendor.return.inspection-started', data: { status: 'UnderInspection' } },
    { eventType: 'vendor.return.decided', data: decided },
    { eventType: 'vendor.return.refund-released', data: { status: 'RefundReleased' } },
  ]);
  for (const secret of [returns.operator.id, returns.operator.operatorId])
    expect(JSON.stringify(events)).not.toContain(secret);
  expect(about(all, sorted)).toEqual([]);
});

test('emits nothing for a rolled-back return', async ({ gateway, returns }) => {
  const id = await returns.request();
  const { sql } = gateway;
  const before = await eventsOf(gateway, returns.vendor.vendorId);
  const lost = sql.begin(async (transaction) => {
    const found = await lockReturn(transaction, id);
    if (found === null) throw new Error('no return');
    await insertReturn(transaction, { ...found.request, id: returns.vendor.vendorId });
    throw new Error('rolled back');
  });
  await expect(lost).rejects.toThrow('rolled back');
  await returns.request();
  const after = await eventsOf(gateway, returns.vendor.vendorId);
  expect(after.map(({ sequence }) => sequence)).toEqual(after.map((_, index) => index + 1));
  expect(after.length).toBe(before.length + 2);
});

test('emits what an operator does to a shipment, not its vendor', async ({ gateway }) => {
  const orders = await newOrderFixture(gateway);
  const vendor = await newVendor(gateway);
  const { groupId } = firstOf((await orders.take({ vendorId: vendor.vendorId })).groups);
  await succeeded(orders.send(vendor, 'POST', `/${groupId}/pack`));
  await succeeded(orders.send(vendor, 'POST', `/${groupId}/ship`));
  for (const status of ['Delivered', 'Returned'])
    await succeeded(orders.operate('PATCH', `/groups/${groupId}`, { status }));
  const other = firstOf((await orders.take({ vendorId: vendor.vendorId })).groups);
  await succeeded(orders.operate('PATCH', `/groups/${other.groupId}`, { status: 'Cancelled' }));
  const changes = (await eventsOf(gateway, vendor.vendorId))
    .filter(({ eventType }) => eventType === 'vendor.order.changed')
    .map(({ data }) => data);
  const orderGlobalId = expect.stringMatching(/^ord_/);
  expect(changes).toStrictEqual([
    { groupId, orderGlobalId, previousStatus: 'Shipped', status: 'Delivered' },
    { groupId, orderGlobalId, previousStatus: 'Delivered', status: 'Returned' },
    { groupId: other.groupId, orderGlobalId, previousStatus: 'Pending', status: 'Cancelled' },
  ]);
});

test('emits an agreement switch, without percentages', async ({ gateway }) => {
  const [{ vendorId }, { token }] = [await newVendor(gateway), await newOperator(gateway)];
  const url = `/operator/v1/vendors/${vendorId}/agreement`;
  for (const body of [
    { pricingModel: 'CostPlusMargin', markupPercent: 33 },
    { pricingModel: 'PercentageOfSale', commissionPercent: 12 },
  ])
    await succeeded(call(gateway, 'PATCH', url, { token, body }));
  const data = { previousPricingModel: 'CostPlusMargin', pricingModel: 'PercentageOfSale' };
  const events = await eventsOf(gateway, vendorId);
  expect(events).toMatchObject([{ eventType: 'vendor.offer.agreement-switched' }]);
  expect(events[0]?.data).toStrictEqual(data);
});

test('emits bodies as the list of event types describes', async ({ gateway, returns }) => {
  const answer = await call(gateway, 'GET', '/api/v1/event-types', { token: returns.vendor.token });
  const { items } = answer.payload as { items: { eventType: EventType; schema: object }[] };
  const schemas = new Map(items.map(({ eventType, schema }) => [eventType, schema]));
  const validator = newSchemaValidator();
  await returns.returnIn('InspectionRejected');
  for (const event of await eventsOf(gateway, returns.vendor.vendorId)) {
    const isValid = validator.validate(schemas.get(event.eventType) ?? false, event);
    expect(isValid, `${event.eventType}: ${validator.errorsText()}`).toBe(true);
  }
});

import { expect } from 'vitest';
import { capabilityForEvent, eventTypes, type EventType } from '../../../domain/webhooks/events.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { newOrderFixture, firstOf } from '../orders/order-fixture.ts';
import { newReturnFixture, succeeded } from '../returns/return-fixture.ts';
import { newParties, submitOffer } from '../offers/offer-record.ts';
import { newOperator, newVendor } from '../../support/api/actors.ts';
import { call, type Gateway } from '../../support/api/api.ts';
import { newSchemaValidator } from '../../support/api/openapi-document.ts';

// A decision, and the events that the specification lacks (D99), each once. `test/db/webhooks` has
// the events of a transaction that is rolled back.

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

test.for([
  ['approve', {}, 'Approved', null],
  ['reject', { reason: 'No.' }, 'Rejected', 'No.'],
] as const)(
  'emits one event for %s, without prices and without the operator',
  async ([action, body, decision, reason], { gateway }) => {
    const parties = await newParties(gateway);
    const { vendorId } = parties.vendor;
    const keys = { vendorExternalId: 'k', vendorSku: 's' };
    const offerId = await submitOffer(parties, keys);
    await succeeded(parties.by('Reviewer', 'POST', `/offers/${offerId}/${action}`, body));

    const events = await gateway.sql<{ id: string; body: string }[]>`
      select id, body from webhook_events where vendor_id = ${vendorId}`;
    expect(events).toHaveLength(1);
    const [event = { id: '', body: '' }] = events;
    const instant = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(JSON.parse(event.body)).toStrictEqual({
      eventId: event.id,
      eventType: 'vendor.offer.review-decision',
      occurredAt: instant,
      apiVersion: 'v1',
      vendorId,
      test: false,
      data: { offerId, ...keys, decision, status: decision, reason, reviewedAt: instant },
      sequence: 1,
    });
    expect(event.id).toMatch(/^evt_[\da-f]{8}-[\da-f]{4}-7/);
  },
);

// What the data of each says has its cases in `test/domain/returns/return-event.test.ts`.
test('emits each step of a return to a supplier, without staff', async ({ gateway, returns }) => {
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

test('emits an operator’s changes of a shipment, not its vendor’s', async ({ gateway }) => {
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

test('lists types with schemas that examples and events satisfy', async ({ gateway, returns }) => {
  const { token, vendorId } = returns.vendor;
  const response = await call(gateway, 'GET', '/api/v1/event-types', { token });
  const { items } = response.payload as {
    items: { eventType: EventType; capability: string; schema: object; example: Event }[];
  };
  expect(items.map(({ eventType }) => eventType)).toEqual(eventTypes);
  await returns.returnIn('InspectionRejected');
  const events = await eventsOf(gateway, vendorId);
  const validator = newSchemaValidator();
  for (const { eventType, capability, schema, example } of items) {
    expect(capability).toBe(capabilityForEvent[eventType]);
    expect(example).toMatchObject({ eventType });
    for (const event of [example, ...events.filter((each) => each.eventType === eventType)])
      expect(validator.validate(schema, event), validator.errorsText()).toBe(true);
  }
});

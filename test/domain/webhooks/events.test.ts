import { expect, test } from 'vitest';
import { capabilityForEvent, eventBody, eventTypes } from '../../../domain/webhooks/events.ts';
import { sampleData } from '../../../domain/webhooks/webhook-sample.ts';

test('lists the event types of the specification first, and the capability of each', () => {
  expect(eventTypes.slice(0, 2)).toEqual(['vendor.order.assigned', 'vendor.offer.review-decision']);
  const ofOffers = eventTypes.filter((type) => capabilityForEvent[type] === 'Offers');
  expect(ofOffers).toEqual(['vendor.offer.review-decision', 'vendor.offer.agreement-switched']);
  const others = eventTypes.filter((type) => capabilityForEvent[type] !== 'Orders');
  expect(others).toEqual(ofOffers);
});

test('writes only the named fields into the body, in one order', () => {
  const parts = {
    secret: 'whsec_x',
    data: { offerId: 'o', decision: 'Approved', reason: null },
    test: false,
    vendorId: 'v',
    occurredAt: '2026-01-02T03:04:05.678Z',
    eventType: 'vendor.offer.review-decision',
    eventId: 'evt_1',
  } as const;
  expect(eventBody(parts)).toBe(
    '{"eventId":"evt_1","eventType":"vendor.offer.review-decision",' +
      '"occurredAt":"2026-01-02T03:04:05.678Z","apiVersion":"v1","vendorId":"v","test":false,' +
      '"data":{"offerId":"o","decision":"Approved","reason":null}}',
  );
});

const at = '2026-01-02T03:04:05.000Z';
const ids = () => {
  let count = 0;
  return () => `id-${(count += 1)}`;
};

test('makes a sample in the form of its event, with new ids only', () => {
  expect(sampleData('vendor.order.assigned', { newId: ids(), at })).toStrictEqual({
    groupId: 'id-1',
    orderGlobalId: 'ord_id-2',
    status: 'Pending',
    lines: [{ lineId: 'id-3', variantId: 'id-4', sku: 'SAMPLE-SKU', quantity: 2 }],
  });
  expect(sampleData('vendor.offer.review-decision', { newId: ids(), at })).toStrictEqual({
    offerId: 'id-1',
    vendorExternalId: 'sample-offer',
    vendorSku: 'SAMPLE-SKU',
    decision: 'Approved',
    status: 'Approved',
    reason: null,
    reviewedAt: at,
  });
});

test.each(eventTypes)('makes a sample of %s without money, address or partner', (eventType) => {
  const event = { eventId: 'evt_1', eventType, occurredAt: at, vendorId: 'v', test: true };
  const body = eventBody({ ...event, data: sampleData(eventType, { newId: ids(), at }) });
  expect(body).toContain('"test":true');
  expect(body).not.toMatch(/"\w*(?:cost|price|amount|partner|ship|phone)\w*":/i);
});

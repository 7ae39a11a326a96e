import { expect, test } from 'vitest';
import { capabilities } from '../../../domain/accounts/capabilities.ts';
import { capabilityForEvent, eventBody, eventTypes } from '../../../domain/webhooks/events.ts';

test('the event types begin with those of the specification, and each has its capability', () => {
  expect(eventTypes.slice(0, 2)).toEqual(['vendor.order.assigned', 'vendor.offer.review-decision']);
  const ofOffers = eventTypes.filter((type) => capabilityForEvent[type] === 'Offers');
  expect(ofOffers).toEqual(['vendor.offer.review-decision', 'vendor.offer.agreement-switched']);
  const others = eventTypes.filter((type) => capabilityForEvent[type] !== 'Orders');
  expect(others).toEqual(ofOffers);
  expect(capabilities).toEqual(expect.arrayContaining(Object.values(capabilityForEvent)));
});

test('the body is the same text whatever the order in which its parts are given', () => {
  const data = { offerId: 'o', decision: 'Approved', reason: null };
  const parts = {
    data,
    test: false,
    vendorId: 'v',
    occurredAt: '2026-01-02T03:04:05.678Z',
    eventType: 'vendor.offer.review-decision',
    eventId: 'evt_1',
  } as const;
  const { eventId, eventType, occurredAt, vendorId } = parts;
  const expected =
    '{"eventId":"evt_1","eventType":"vendor.offer.review-decision",' +
    '"occurredAt":"2026-01-02T03:04:05.678Z","apiVersion":"v1","vendorId":"v","test":false,' +
    '"data":{"offerId":"o","decision":"Approved","reason":null}}';
  expect(eventBody(parts)).toBe(expected);
  expect(eventBody({ eventId, eventType, occurredAt, vendorId, test: false, data })).toBe(expected);
});

test('nothing but the named parts reaches the body', () => {
  const event = {
    eventId: 'evt_1',
    eventType: 'vendor.order.assigned',
    occurredAt: '2026-01-02T03:04:05.678Z',
    vendorId: 'v',
    test: true,
    data: {},
    secret: 'whsec_x',
  } as const;
  const body = eventBody(event);
  expect(Object.keys(JSON.parse(body) as object)).toEqual([
    'eventId',
    'eventType',
    'occurredAt',
    'apiVersion',
    'vendorId',
    'test',
    'data',
  ]);
});

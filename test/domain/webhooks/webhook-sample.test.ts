import { expect, test } from 'vitest';
import { eventBody, eventTypes } from '../../../domain/webhooks/events.ts';
import { sampleData } from '../../../domain/webhooks/webhook-sample.ts';

const at = '2026-01-02T03:04:05.000Z';
const ids = () => {
  let count = 0;
  return () => {
    count += 1;
    return `00000000-0000-4000-8000-00000000000${count}`;
  };
};

test('a sample has the form of its event, to the letter, and ids that are all made for it', () => {
  expect(sampleData('vendor.order.assigned', { newId: ids(), at })).toStrictEqual({
    groupId: '00000000-0000-4000-8000-000000000001',
    orderGlobalId: 'ord_00000000-0000-4000-8000-000000000002',
    status: 'Pending',
    lines: [
      {
        lineId: '00000000-0000-4000-8000-000000000003',
        variantId: '00000000-0000-4000-8000-000000000004',
        sku: 'SAMPLE-SKU',
        quantity: 2,
      },
    ],
  });
  expect(sampleData('vendor.offer.review-decision', { newId: ids(), at })).toStrictEqual({
    offerId: '00000000-0000-4000-8000-000000000001',
    vendorExternalId: 'sample-offer',
    vendorSku: 'SAMPLE-SKU',
    decision: 'Approved',
    status: 'Approved',
    reason: null,
    reviewedAt: at,
  });
});

test.each(eventTypes)(
  'a sample of %s has no money, no address, nothing of a partner',
  (eventType) => {
    const event = { eventId: 'evt_1', eventType, occurredAt: at, vendorId: 'v', test: true };
    const body = eventBody({ ...event, data: sampleData(eventType, { newId: ids(), at }) });
    expect(body).toContain('"test":true');
    expect(body).not.toMatch(/"\w*(?:cost|price|amount|partner|ship|phone)\w*":/i);
  },
);

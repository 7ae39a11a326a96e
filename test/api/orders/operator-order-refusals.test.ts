import { expect } from 'vitest';
import { addSubscription, countOf } from '../../db/support.ts';
import { newVendor } from '../support/actors.ts';
import { fieldErrorsOf, unknownId, type Gateway } from '../support/api.ts';
import { line, post, test } from './operator-orders-fixture.ts';

// The body has its cases in `order-body.test.ts`.

test.beforeAll(async ({ gateway, vendor }) => {
  await addSubscription(gateway.sql, vendor.vendorId, ['vendor.order.assigned']);
});
const tables = [
  'orders',
  'fulfilment_groups',
  'order_lines',
  'list_counts',
  'audit_log',
  'webhook_events',
  'outbox',
] as const;
const stored = (gateway: Gateway) =>
  Promise.all(tables.map((table) => countOf(gateway.sql, table)));

test('an order with unknown variants or vendors is refused at each of them, and stores nothing', async ({
  gateway,
  fixture,
  vendor,
}) => {
  const { vendorId } = vendor;
  const away = await newVendor(gateway, { isActive: false });
  const before = await stored(gateway);
  const answer = await post(
    fixture,
    fixture.bodyOf(
      { vendorId, lines: [line(fixture), line(fixture, 1, unknownId())] },
      { vendorId: unknownId() },
      { vendorId: away.vendorId, lines: [line(fixture, 1, unknownId()), line(fixture)] },
    ),
  );
  expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
  expect(fieldErrorsOf(answer)).toEqual([
    'Groups[0].Lines[1].VariantId unknown',
    'Groups[1].VendorId unknown',
    'Groups[2].Lines[0].VariantId unknown',
    'Groups[2].VendorId unknown',
  ]);
  const misshapen = await post(fixture, fixture.bodyOf({ vendorId, carrier: 'Other' }));
  expect(fieldErrorsOf(misshapen)).toEqual(['Groups[0].CarrierNameOther required']);
  expect(await stored(gateway)).toEqual(before);
});

test('the largest order is stored: 50 groups, one with 80 lines', async ({
  gateway,
  fixture,
  vendor,
}) => {
  const before = await countOf(gateway.sql, 'order_lines');
  const lines = Array.from({ length: 80 }, () => line(fixture, 1_000_000));
  const others = Array.from({ length: 49 }, () => ({}));
  const largest = fixture.bodyOf(...others, { vendorId: vendor.vendorId, lines });
  expect(await post(fixture, largest)).toMatchObject({ status: 201 });
  expect(await countOf(gateway.sql, 'order_lines')).toBe(before + 129);
});

import { describe, expect } from 'vitest';
import { addSubscription, countOf } from '../../db/support.ts';
import { newVendor } from '../support/actors.ts';
import { shipTo, type OrderFixture } from './order-fixture.ts';
import { fieldErrorsOf, unknownId, type Answer, type Gateway } from '../support/api.ts';
import { test, post, line } from './operator-orders-fixture.ts';

test.beforeAll(async ({ gateway, vendor }) => {
  await addSubscription(gateway.sql, vendor.vendorId, ['vendor.order.assigned']);
});
const stored = async (gateway: Gateway) => ({
  orders: await countOf(gateway.sql, 'orders'),
  groups: await countOf(gateway.sql, 'fulfilment_groups'),
  lines: await countOf(gateway.sql, 'order_lines'),
  counts: await countOf(gateway.sql, 'list_counts'),
  audit: await countOf(gateway.sql, 'audit_log'),
  events: await countOf(gateway.sql, 'webhook_events'),
  messages: await countOf(gateway.sql, 'outbox'),
});
/** Where each failing field is, with its code. */
const errorsOf = (answer: Answer) =>
  (answer.details['errors'] as readonly { path: string; code: string }[]).map(
    ({ path, code }) => `${path} ${code}`,
  );

/** Expects a refusal of these fields, and that nothing at all is stored for it. */
const refused = async (
  gateway: Gateway,
  fixture: OrderFixture,
  body: unknown,
  errors: readonly string[],
): Promise<Answer> => {
  const before = await stored(gateway);
  const answer = await post(fixture, body);
  expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
  expect(errorsOf(answer).toSorted()).toEqual(errors.toSorted());
  expect(await stored(gateway)).toEqual(before);
  return answer;
};

describe('an order is refused, and nothing of it stored,', () => {
  test.for<[unknown, readonly string[]]>([
    [{}, ['/shipTo required', '/groups required']],
    [
      { shipTo: {}, groups: [] },
      [
        '/shipTo/recipient required',
        '/shipTo/line1 required',
        '/shipTo/city required',
        '/shipTo/country required',
        '/shipTo/phone required',
        '/groups too_few',
      ],
    ],
    [
      {
        shipTo: { ...shipTo, city: ' ', phone: null, line2: 5, zip: '1' },
        groups: [{}],
        partner: 'P',
      },
      [
        '/shipTo/city required',
        '/shipTo/phone invalid_type',
        '/shipTo/line2 invalid_type',
        '/shipTo/zip unknown_field',
        '/groups/0/carrier required',
        '/groups/0/lines required',
        '/partner unknown_field',
      ],
    ],
    [{ shipTo, groups: 'x' }, ['/groups invalid_type']],
    [{ shipTo, groups: [null] }, ['/groups/0 invalid_type']],
    // A list that is too long is judged by its length alone.
    [{ shipTo, groups: Array.from({ length: 100_000 }, () => ({})) }, ['/groups too_many']],
    [
      { shipTo: null, groups: [7, 'x'] },
      ['/shipTo invalid_type', '/groups/0 invalid_type', '/groups/1 invalid_type'],
    ],
    [
      {
        shipTo: { ...shipTo, recipient: 'x'.repeat(256), phone: '1'.repeat(51), city: 'a\0' },
        groups: [],
      },
      [
        '/shipTo/recipient too_long',
        '/shipTo/phone too_long',
        '/shipTo/city invalid_characters',
        '/groups too_few',
      ],
    ],
  ] as const)(
    'when its shape is wrong: each failing field is named by its path (%#)',
    async ([body, errors], { gateway, fixture }) => {
      await refused(gateway, fixture, body, errors);
    },
  );

  test('when a group is wrong, whichever it is', async ({ gateway, fixture, vendor }) => {
    const fine = { carrier: 'CarrierA', lines: [line(fixture)] };
    await refused(
      gateway,
      fixture,
      {
        shipTo,
        groups: [
          fine,
          { ...fine, carrier: 'carrierA', vendorId: 'x', sourcing: 'true', price: 1 },
          {
            ...fine,
            lines: [
              line(fixture, 0),
              line(fixture, 1.5),
              line(fixture, '1'),
              line(fixture, 1_000_001),
              { ...line(fixture, 1, 'x'), sku: 'S' },
              'x',
            ],
          },
          { ...fine, lines: [] },
          { ...fine, carrierNameOther: 'Van' },
          { ...fine, vendorId: vendor.vendorId, sourcing: true },
          { ...fine, carrier: 'Other' },
          { ...fine, carrier: 'Other', carrierNameOther: ' ' },
        ],
      },
      [
        '/groups/1/carrier not_allowed',
        '/groups/1/vendorId invalid_uuid',
        '/groups/1/sourcing invalid_type',
        '/groups/1/price unknown_field',
        '/groups/2/lines/0/quantity too_small',
        '/groups/2/lines/1/quantity invalid_integer',
        '/groups/2/lines/2/quantity invalid_type',
        '/groups/2/lines/3/quantity too_large',
        '/groups/2/lines/4/variantId invalid_uuid',
        '/groups/2/lines/4/sku unknown_field',
        '/groups/2/lines/5 invalid_type',
        '/groups/3/lines too_few',
        '/groups/4/carrierNameOther not_allowed',
        '/groups/5/vendorId clashes_with_sourcing',
        // D79: the carrier Other requires its name.
        '/groups/6/carrierNameOther required',
        '/groups/7/carrierNameOther required',
      ],
    );
  });

  test('when it names what the record does not have: every place of it', async ({
    gateway,
    fixture,
    vendor,
  }) => {
    const away = await newVendor(gateway, { isActive: false });
    const answer = await refused(
      gateway,
      fixture,
      fixture.bodyOf(
        { vendorId: vendor.vendorId, lines: [line(fixture), line(fixture, 1, unknownId())] },
        { vendorId: unknownId() },
        { vendorId: away.vendorId, lines: [line(fixture, 1, unknownId()), line(fixture)] },
      ),
      [
        '/groups/0/lines/1/variantId unknown',
        '/groups/1/vendorId unknown',
        '/groups/2/vendorId unknown',
        '/groups/2/lines/0/variantId unknown',
      ],
    );
    expect(fieldErrorsOf(answer)).toContain('Groups[2].Lines[0].VariantId unknown');
  });

  test('when it is too large: more than 50 groups, or 80 lines in one', async ({
    gateway,
    fixture,
    vendor,
  }) => {
    const groups = Array.from({ length: 51 }, () => ({}));
    await refused(gateway, fixture, fixture.bodyOf(...groups), ['/groups too_many']);
    await refused(
      gateway,
      fixture,
      fixture.bodyOf({ lines: Array.from({ length: 81 }, () => line(fixture)) }),
      ['/groups/0/lines too_many'],
    );
    const largest = fixture.bodyOf(...groups.slice(1, 50), {
      vendorId: vendor.vendorId,
      lines: Array.from({ length: 80 }, () => line(fixture, 1_000_000)),
    });
    expect(await post(fixture, largest)).toMatchObject({ status: 201 });
  });
});

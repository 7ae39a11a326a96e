import { describe, expect } from 'vitest';
import { addSubscription, countOf } from '../../db/support.ts';
import { newVariant, newVendor } from '../support/actors.ts';
import {
  firstOf,
  newOrderBench,
  shipTo,
  type OrderBench,
  type TakenOrder,
} from './order-fixture.ts';
import { fieldErrorsOf, unknownId, type Answer, type Gateway } from '../support/api.ts';
import { auditOf } from '../offers/offer-record.ts';
import { gatewayTest } from '../../support/gateway-test.ts';

const test = gatewayTest
  .extend('bench', { scope: 'file' }, ({ gateway }) => newOrderBench(gateway))
  .extend('vendor', { scope: 'file' }, ({ gateway }) => newVendor(gateway));

test.beforeAll(async ({ gateway, vendor }) => {
  await addSubscription(gateway.sql, vendor.vendorId, ['vendor.order.assigned']);
});

const post = (bench: OrderBench, body: unknown) => bench.operate('POST', '/orders', body);
const line = (bench: OrderBench, quantity: unknown = 1, variantId: unknown = bench.variantId) => ({
  variantId,
  quantity,
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
const uuid = expect.stringMatching(/^[\da-f-]{36}$/);

test('an order is taken in with its groups: a vendor’s, the service’s own, one that waits for a source', async ({
  gateway,
  bench,
  vendor,
}) => {
  const { id: inactive, sku } = await newVariant(gateway, { isActive: false });
  const { vendorId } = vendor;
  const answer = await post(
    bench,
    bench.bodyOf(
      { vendorId, lines: [line(bench, 3), line(bench, 2, inactive)] },
      { vendorId: null, carrier: 'Other', carrierNameOther: 'Van' },
      { sourcing: true },
      { vendorId: null, sourcing: false, carrier: 'CarrierC' },
    ),
  );
  const known = {
    lineId: uuid,
    variantId: bench.variantId,
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
  bench,
  vendor,
}) => {
  const order = await bench.take({ vendorId: vendor.vendorId }, { sourcing: true });
  const [entry, ...others] = await auditOf(gateway.sql, order.orderGlobalId.slice(4));
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    operatorId: bench.operator.id,
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
  bench,
  vendor,
}) => {
  const body = {
    shipTo: { ...shipTo, line2: null, region: ' ', postalCode: '' },
    groups: [
      {
        vendorId: vendor.vendorId.toUpperCase(),
        carrier: 'CarrierB',
        carrierNameOther: ' ',
        lines: [line(bench, 1, bench.variantId.toUpperCase())],
      },
    ],
  };
  const { groups } = (await post(bench, body)).payload as TakenOrder;
  expect(firstOf(groups)).toMatchObject({
    vendorId: vendor.vendorId,
    lines: [{ variantId: bench.variantId }],
  });
  const [row] = await gateway.sql`
    select ship_line2, ship_region, ship_postal_code from orders
    where id = (select order_id from fulfilment_groups where fulfilment_groups.id = ${firstOf(groups).groupId})`;
  expect(row).toEqual({ shipLine2: null, shipRegion: null, shipPostalCode: null });
});

/** Expects a refusal of these fields, and that nothing at all is stored for it. */
const refused = async (
  gateway: Gateway,
  bench: OrderBench,
  body: unknown,
  errors: readonly string[],
): Promise<Answer> => {
  const before = await stored(gateway);
  const answer = await post(bench, body);
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
    async ([body, errors], { gateway, bench }) => {
      await refused(gateway, bench, body, errors);
    },
  );

  test('when a group is wrong, whichever it is', async ({ gateway, bench, vendor }) => {
    const fine = { carrier: 'CarrierA', lines: [line(bench)] };
    await refused(
      gateway,
      bench,
      {
        shipTo,
        groups: [
          fine,
          { ...fine, carrier: 'carrierA', vendorId: 'x', sourcing: 'true', price: 1 },
          {
            ...fine,
            lines: [
              line(bench, 0),
              line(bench, 1.5),
              line(bench, '1'),
              line(bench, 1_000_001),
              { ...line(bench, 1, 'x'), sku: 'S' },
              'x',
            ],
          },
          { ...fine, lines: [] },
          { ...fine, carrierNameOther: 'Van' },
          { ...fine, vendorId: vendor.vendorId, sourcing: true },
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
      ],
    );
  });

  test('when it names what the record does not have: every place of it', async ({
    gateway,
    bench,
    vendor,
  }) => {
    const away = await newVendor(gateway, { isActive: false });
    const answer = await refused(
      gateway,
      bench,
      bench.bodyOf(
        { vendorId: vendor.vendorId, lines: [line(bench), line(bench, 1, unknownId())] },
        { vendorId: unknownId() },
        { vendorId: away.vendorId, lines: [line(bench, 1, unknownId()), line(bench)] },
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
    bench,
    vendor,
  }) => {
    const groups = Array.from({ length: 51 }, () => ({}));
    await refused(gateway, bench, bench.bodyOf(...groups), ['/groups too_many']);
    await refused(
      gateway,
      bench,
      bench.bodyOf({ lines: Array.from({ length: 81 }, () => line(bench)) }),
      ['/groups/0/lines too_many'],
    );
    const largest = bench.bodyOf(...groups.slice(1, 50), {
      vendorId: vendor.vendorId,
      lines: Array.from({ length: 80 }, () => line(bench, 1_000_000)),
    });
    expect(await post(bench, largest)).toMatchObject({ status: 201 });
  });
});

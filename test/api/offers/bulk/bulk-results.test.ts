import { expect } from 'vitest';
import { newOfferFixture, recordOf, supplyOf } from '../offer-fixture.ts';
import { freeFormOffer, tokenWith } from '../../support/actors.ts';
import { call, fieldErrorsOf, refusal, textOf, unknownId } from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { inStock, pushAll, sendBulk } from './bulk-fixture.ts';

const ok = { httpStatus: 200, state: 'SUCCESS', details: {} };

test('returns the results in the order of the items, and stores the valid ones', async ({
  gateway,
}) => {
  const { vendor, offerIn, create, read } = await newOfferFixture(gateway);
  const live = await offerIn('Approved');
  const fresh = await create({ declared: { vendorExternalId: 'fresh' } });
  const bare = await offerIn('Rejected', { barcode: null });
  const unknown = unknownId();
  const results = await pushAll(gateway, vendor, [
    { offerId: live.toUpperCase(), ...inStock(7) },
    { offerId: unknown, ...inStock(7) },
    { vendorExternalId: 'fresh', declaredInStock: false },
    { offerId: bare, ...inStock(7) },
    { offerId: live, declaredInStock: 'yes' },
  ]);
  expect(results).toMatchObject([
    { index: 0, ...ok, offerId: live, vendorExternalId: null, version: 3 },
    { index: 1, httpStatus: 404, state: 'NOT_FOUND_VENDOR_OFFER', offerId: unknown, version: null },
    { index: 2, ...ok, offerId: fresh, vendorExternalId: 'fresh' },
    {
      index: 3,
      httpStatus: 400,
      state: 'VALIDATION_ERRORS',
      offerId: bare,
      version: null,
      details: {
        errors: [{ field: 'Items[3].Barcode', path: '/items/3/barcode', code: 'required' }],
      },
    },
    {
      index: 4,
      httpStatus: 400,
      offerId: live,
      details: {
        errors: [
          {
            field: 'Items[4].DeclaredInStock',
            path: '/items/4/declaredInStock',
            code: 'invalid_type',
          },
        ],
      },
    },
  ]);
  expect(await supplyOf(gateway, live)).toMatchObject({ stockQuantity: 7, inStock: true });
  expect((await read(fresh)).payload).toMatchObject({ stock: { declaredQuantity: 0 } });
});

test('counts the items that succeeded and failed', async ({ gateway }) => {
  const { vendor, create } = await newOfferFixture(gateway);
  const items = [
    { offerId: await create(), ...inStock(5) },
    null,
    { offerId: unknownId(), ...inStock(5) },
  ];
  const answer = await sendBulk(gateway, vendor, { items });
  expect(answer.payload).toMatchObject({ counts: { succeeded: 1, failed: 2 } });
});

test('names each malformed field by the index of its item', async ({ gateway }) => {
  const { vendor, create } = await newOfferFixture(gateway);
  const id = await create();
  const cases: readonly (readonly [unknown, readonly string[]])[] = [
    [null, ['Items[0] invalid_type']],
    [[], ['Items[0] invalid_type']],
    ['x', ['Items[0] invalid_type']],
    [{}, ['Items[0].DeclaredInStock required', 'Items[0].OfferId required']],
    [{ offerId: null, vendorExternalId: null, ...inStock(5) }, ['Items[0].OfferId required']],
    [{ offerId: 'x', ...inStock(5) }, ['Items[0].OfferId invalid_uuid']],
    [
      { offerId: id, vendorExternalId: 'a', ...inStock(5) },
      ['Items[0].VendorExternalId clashes_with_offer_id'],
    ],
    [{ offerId: id, ...inStock(5), extra: 1 }, ['Items[0].Extra unknown_field']],
    [{ offerId: id, ...inStock(-1) }, ['Items[0].DeclaredStockQuantity too_small']],
    [{ vendorExternalId: 'a\0', ...inStock(5) }, ['Items[0].VendorExternalId invalid_characters']],
  ];
  const before = await recordOf(gateway, id);
  for (const [item, errors] of cases) {
    const [result] = await pushAll(gateway, vendor, [item]);
    // The id that was sent, if it is one (D148).
    const { offerId } = (item ?? {}) as { readonly offerId?: unknown };
    expect(result).toMatchObject({
      httpStatus: 400,
      state: 'VALIDATION_ERRORS',
      offerId: offerId === id ? id : null,
    });
    const failure = { ...refusal('VALIDATION_ERRORS'), details: result?.details ?? {} };
    expect(fieldErrorsOf({ ...failure, headers: {}, text: '' })).toEqual(errors);
  }
  expect(await recordOf(gateway, id)).toBe(before);
});

test('refuses a body without a list of 1 to 1,000 items', async ({ gateway }) => {
  const { vendor, create } = await newOfferFixture(gateway);
  const id = await create();
  const before = await recordOf(gateway, id);
  const item = { offerId: id, ...inStock(3) };
  const cases: readonly (readonly [unknown, readonly string[]])[] = [
    [{}, ['Items required']],
    ['[]', ['Body invalid_type']],
    ['{"items":', ['Body malformed']],
    [{ items: item }, ['Items invalid_type']],
    [{ items: [] }, ['Items too_few']],
    [{ items: Array.from({ length: 1001 }, () => item) }, ['Items too_many']],
    [{ items: [item], extra: 1 }, ['Extra unknown_field']],
  ];
  for (const [body, errors] of cases) {
    const answer = await sendBulk(gateway, vendor, body);
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
    expect(fieldErrorsOf(answer)).toEqual(errors);
  }
  expect(await recordOf(gateway, id)).toBe(before);
});

test('returns at most ten errors of an item', async ({ gateway }) => {
  const { vendor } = await newOfferFixture(gateway);
  const odd = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, 1]));
  const [result] = await pushAll(gateway, vendor, [odd]);
  expect(result?.details['errors']).toHaveLength(10);
});

test('refuses a second item for an offer, by either name and in any chunk', async ({ gateway }) => {
  const { vendor, create, read } = await newOfferFixture(gateway);
  const id = await create({ declared: { vendorExternalId: 'twice' } });
  const unknown = Array.from({ length: 400 }, () => ({ offerId: unknownId(), ...inStock(1) }));
  const results = await pushAll(gateway, vendor, [
    { vendorExternalId: 'twice', ...inStock(5) },
    { offerId: id, ...inStock(6) },
    ...unknown,
    { offerId: id, ...inStock(7) },
  ]);
  expect(results[0]).toMatchObject({ ...ok, version: 2 });
  for (const index of [1, 402]) {
    expect(results[index]).toMatchObject({
      httpStatus: 400,
      state: 'VALIDATION_ERRORS',
      offerId: id,
      details: {
        errors: [
          {
            field: `Items[${index}].OfferId`,
            path: `/items/${index}/offerId`,
            code: 'duplicate',
            message: 'names the offer of items[0] again',
          },
        ],
      },
    });
  }
  expect((await read(id)).payload).toMatchObject({ stock: { declaredQuantity: 5 } });
});

test('finds offers of source Api by external id, and any own offer by id', async ({ gateway }) => {
  const { vendor, operator, create } = await newOfferFixture(gateway);
  const body = { ...freeFormOffer, vendorExternalId: 'shared' };
  const manual = textOf(
    await call(gateway, 'POST', `/operator/v1/vendors/${vendor.vendorId}/offers`, {
      token: operator.token,
      body,
    }),
    'id',
  );
  expect(
    await pushAll(gateway, vendor, [{ vendorExternalId: 'shared', ...inStock(1) }]),
  ).toMatchObject([{ state: 'NOT_FOUND_VENDOR_OFFER' }]);
  const own = await create({ declared: { vendorExternalId: 'shared' } });
  expect(
    await pushAll(gateway, vendor, [
      { vendorExternalId: 'shared', ...inStock(1) },
      { offerId: manual, ...inStock(2) },
    ]),
  ).toMatchObject([
    { ...ok, offerId: own },
    { ...ok, offerId: manual },
  ]);
});

test("returns the same 404 for another vendor's offer and an unknown one", async ({ gateway }) => {
  const owner = await newOfferFixture(gateway);
  const other = await newOfferFixture(gateway);
  const id = await owner.create({ declared: { vendorExternalId: 'owned' } });
  const before = await recordOf(gateway, id);
  const names = [
    { offerId: id, vendorExternalId: null },
    { offerId: unknownId(), vendorExternalId: null },
    { offerId: null, vendorExternalId: 'owned' },
    { offerId: null, vendorExternalId: 'unknown' },
  ];
  const items = names.map((name) => ({ ...name, ...inStock(3) }));
  expect(await pushAll(gateway, other.vendor, items)).toEqual(
    // The ids are those that the caller has sent.
    names.map((name, index) => ({
      index,
      httpStatus: 404,
      state: 'NOT_FOUND_VENDOR_OFFER',
      ...name,
      version: null,
      details: {},
    })),
  );
  expect(await recordOf(gateway, id)).toBe(before);
});

test('has no other method on the path of the bulk push', async ({ gateway }) => {
  const { vendor, send } = await newOfferFixture(gateway);
  for (const method of ['GET', 'POST', 'DELETE'] as const)
    expect(await send(method, '/stock')).toMatchObject(
      refusal('NOT_FOUND_ROUTE', { allowedMethods: ['PATCH'] }),
    );
  expect((await sendBulk(gateway, vendor, {})).status).toBe(400);
});

test('requires the capability Stock', async ({ gateway }) => {
  const { vendor, create } = await newOfferFixture(gateway);
  const items = [{ offerId: await create(), ...inStock(3) }];
  const lacking = { token: tokenWith(gateway, vendor, ['Cost', 'Offers']) };
  expect(await sendBulk(gateway, lacking, { items })).toMatchObject(
    refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', { requiredCapability: 'Stock' }),
  );
  const granted = { token: tokenWith(gateway, vendor, ['Stock']) };
  expect((await sendBulk(gateway, granted, { items })).status).toBe(200);
});

test('accepts 1,000 items with the longest ids in a two-byte script', async ({ gateway }) => {
  const { vendor } = await newOfferFixture(gateway);
  const items = Array.from({ length: 1000 }, (_, index) => ({
    vendorExternalId: String(index).padStart(255, 'ع'),
    ...inStock(1_000_000),
  }));
  const results = await pushAll(gateway, vendor, items);
  expect(results.map(({ index }) => index)).toEqual(items.map((_, index) => index));
  expect(new Set(results.map(({ state }) => state))).toEqual(new Set(['NOT_FOUND_VENDOR_OFFER']));
});

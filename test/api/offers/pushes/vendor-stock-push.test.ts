// The rule's cases are in test/domain/offers/stock.test.ts, and those of its statement in
// test/db/offers/pushes/store-stock.test.ts.
import { expect } from 'vitest';
import { freeFormOffer, newVariant, percentageOfSale } from '../../support/actors.ts';
import { barcodes, newOfferFixture, recordOf, supplyOf } from '../offer-fixture.ts';
import { call, fieldErrorsOf, refusal, textOf, unknownId } from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { rowOf } from '../offer-record.ts';

test.for([false, true])(
  'returns the nested form with only the stock changed; Model 2: %s',
  async (isModelTwo, { gateway }) => {
    const { offerIn, read, send } = await newOfferFixture(
      gateway,
      isModelTwo ? percentageOfSale : undefined,
    );
    const id = await offerIn('Approved', { declared: { vendorSku: 'S', rawSizeMl: 5 } });
    const before = (await read(id)).payload;
    const body = { declaredInStock: true, declaredStockQuantity: 12 };
    const answer = await send('PATCH', `/${id}/stock`, body);
    expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    const stock = { declaredQuantity: 12, declaredInStock: true };
    expect(answer.payload).toStrictEqual({ ...before, stock });
    expect((await read(id)).payload).toStrictEqual(answer.payload);
  },
);

test('changes nothing when a push is repeated, and raises the version once', async ({
  gateway,
}) => {
  const { create, send } = await newOfferFixture(gateway);
  const id = await create();
  const push = () => send('PATCH', `/${id}/stock`, { declaredInStock: false });
  expect((await push()).payload).toMatchObject({
    stock: { declaredQuantity: 0, declaredInStock: false },
  });
  const before = await recordOf(gateway, id);
  expect(await rowOf(gateway.sql, id)).toMatchObject({ version: 2 });
  await push();
  expect(await recordOf(gateway, id)).toBe(before);
});

test('requires the barcode of a Rejected offer', async ({ gateway }) => {
  const { offerIn, send } = await newOfferFixture(gateway);
  const id = await offerIn('Rejected', { barcode: null });
  const before = await recordOf(gateway, id);
  for (const body of [{ declaredInStock: true }, { declaredInStock: false }]) {
    const answer = await send('PATCH', `/${id}/stock`, body);
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
    expect(answer.details['errors']).toMatchObject([
      { field: 'Barcode', path: '/barcode', code: 'required' },
    ]);
  }
  expect(await recordOf(gateway, id)).toBe(before);
  const other = await offerIn('Rejected');
  const answer = await send('PATCH', `/${other}/stock`, { declaredInStock: true });
  expect(answer.payload).toMatchObject({ status: 'Rejected', stock: { declaredInStock: true } });
});

test('accepts manual and imported offers, with the id in any letter case', async ({ gateway }) => {
  const { create, send, vendor, operator } = await newOfferFixture(gateway);
  const manual = await call(gateway, 'POST', `/operator/v1/vendors/${vendor.vendorId}/offers`, {
    token: operator.token,
    body: freeFormOffer,
  });
  const imported = await create();
  await gateway.sql`update offers set source = 'Import' where id = ${imported}`;
  for (const id of [textOf(manual, 'id'), imported, (await create()).toUpperCase()]) {
    const answer = await send('PATCH', `/${id}/stock`, {
      declaredInStock: true,
      declaredStockQuantity: 2,
    });
    expect(answer.payload).toMatchObject({ id: id.toLowerCase(), stock: { declaredQuantity: 2 } });
  }
});

test("returns the same 404 for another vendor's offer, an unknown one and no UUID", async ({
  gateway,
}) => {
  const owner = await newOfferFixture(gateway);
  const other = await newOfferFixture(gateway);
  const id = await owner.offerIn('Approved');
  const before = await recordOf(gateway, id);
  for (const given of [id, unknownId(), '1', `${id}x`, '%00', 'x'.repeat(300), '%2e%2e%2f']) {
    const answer = await other.send('PATCH', `/${given}/stock`, { declaredInStock: true });
    expect(answer).toMatchObject(refusal('NOT_FOUND_VENDOR_OFFER'));
  }
  expect(await recordOf(gateway, id)).toBe(before);
});

test.for<[unknown, readonly string[]]>([
  [{}, ['DeclaredInStock required']],
  [{ declaredStockQuantity: 5 }, ['DeclaredInStock required']],
  [{ declaredInStock: null }, ['DeclaredInStock invalid_type']],
  [{ declaredInStock: 'true' }, ['DeclaredInStock invalid_type']],
  [{ declaredInStock: 1 }, ['DeclaredInStock invalid_type']],
  [{ declaredInStock: true, declaredStockQuantity: 0 }, ['DeclaredStockQuantity stock_mismatch']],
  [{ declaredInStock: false, declaredStockQuantity: 1 }, ['DeclaredStockQuantity stock_mismatch']],
  [{ declaredInStock: true, declaredStockQuantity: '5' }, ['DeclaredStockQuantity invalid_type']],
  [
    { declaredInStock: true, declaredStockQuantity: 1.5 },
    ['DeclaredStockQuantity invalid_integer'],
  ],
  [{ declaredInStock: true, declaredStockQuantity: -1 }, ['DeclaredStockQuantity too_small']],
  [
    { declaredInStock: true, declaredStockQuantity: 1_000_001 },
    ['DeclaredStockQuantity too_large'],
  ],
  [
    { declaredStockQuantity: -1, x: 1 },
    ['DeclaredInStock required', 'DeclaredStockQuantity too_small', 'X unknown_field'],
  ],
  [{ declaredInStock: true, barcode: barcodes.first }, ['Barcode unknown_field']],
  [
    { declaredInStock: true, cost: 5, costIsVatInclusive: true },
    ['Cost unknown_field', 'CostIsVatInclusive unknown_field'],
  ],
  ['[true]', ['Body invalid_type']],
  ['{"declaredInStock":tru', ['Body malformed']],
  [
    '{"declaredInStock":true,"declaredStockQuantity":1e400}',
    ['DeclaredStockQuantity invalid_integer', 'DeclaredStockQuantity too_large'],
  ],
] as const)('refuses %j, and stores nothing: %j', async ([body, errors], { gateway }) => {
  const { offerIn, send } = await newOfferFixture(gateway);
  const id = await offerIn('Approved', { declared: { declaredStockQuantity: 7 } });
  const before = await recordOf(gateway, id);
  const answer = await send('PATCH', `/${id}/stock`, body);
  expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
  expect(fieldErrorsOf(answer)).toEqual(errors);
  expect(await recordOf(gateway, id)).toBe(before);
});

test('judges the body before the offer, and an absent body as an empty one', async ({
  gateway,
}) => {
  const { send } = await newOfferFixture(gateway);
  expect(fieldErrorsOf(await send('PATCH', `/${unknownId()}/stock`))).toEqual([
    'DeclaredInStock required',
  ]);
});

test('gives a new supply option the stock pushed before its approval', async ({ gateway }) => {
  const { create, send, decide } = await newOfferFixture(gateway);
  const id = await create({ isMatched: false });
  await send('PATCH', `/${id}/stock`, { declaredInStock: true, declaredStockQuantity: 42 });
  await decide(id, 'approve', { variantId: (await newVariant(gateway)).id });
  expect(await supplyOf(gateway, id)).toMatchObject({ stockQuantity: 42, inStock: true });
});

test('stores each of fifty concurrent pushes in offer and supply option', async ({ gateway }) => {
  const { offerIn, send } = await newOfferFixture(gateway);
  const id = await offerIn('Approved');
  const quantities = Array.from({ length: 50 }, (_, index) => index + 1);
  const answers = await Promise.all(
    quantities.map((declaredStockQuantity) =>
      send('PATCH', `/${id}/stock`, { declaredInStock: true, declaredStockQuantity }),
    ),
  );
  const shown = answers.map(
    ({ payload }) => (payload as { stock: { declaredQuantity: number } }).stock.declaredQuantity,
  );
  expect(shown).toEqual(quantities);
  const row = await rowOf(gateway.sql, id);
  expect(row).toMatchObject({ version: 52, declaredInStock: true });
  expect(await supplyOf(gateway, id)).toMatchObject({
    stockQuantity: row?.['declaredStockQuantity'],
    updatedAt: row?.['changedAt'],
  });
});

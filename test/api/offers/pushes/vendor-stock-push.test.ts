import { expect } from 'vitest';
import { offerStatuses } from '../../../../domain/offers/offer.ts';
import { freeFormOffer, newVariant, percentageOfSale } from '../../support/actors.ts';
import { barcodes, newOfferFixture, recordOf, supplyOf } from '../offer-fixture.ts';
import { call, fieldErrorsOf, refusal, textOf, unknownId } from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { rowOf } from '../offer-record.ts';

test.for([false, true])(
  'the answer is the exact nested form, in which nothing but the stock has changed; Model 2: %s',
  async (isModelTwo, { gateway }) => {
    const { offerIn, read, send } = await newOfferFixture(
      gateway,
      isModelTwo ? percentageOfSale : undefined,
    );
    const id = await offerIn('Approved', { said: { vendorSku: 'S', rawSizeMl: 5 } });
    const before = (await read(id)).payload;
    const body = { declaredInStock: true, declaredStockQuantity: 12 };
    const answer = await send('PATCH', `/${id}/stock`, body);
    expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    const stock = { declaredQuantity: 12, declaredInStock: true };
    expect(answer.payload).toStrictEqual({ ...before, stock });
    expect((await read(id)).payload).toStrictEqual(answer.payload);
  },
);

test.for<[number | null, Record<string, unknown>, number | null, boolean]>([
  [7, { declaredInStock: false }, 0, false],
  [7, { declaredInStock: false, declaredStockQuantity: 0 }, 0, false],
  [7, { declaredInStock: false, declaredStockQuantity: null }, 0, false],
  [7, { declaredInStock: true }, 7, true],
  [7, { declaredInStock: true, declaredStockQuantity: null }, 7, true],
  [7, { declaredInStock: true, declaredStockQuantity: 1 }, 1, true],
  [7, { declaredInStock: true, declaredStockQuantity: 1_000_000 }, 1_000_000, true],
  [0, { declaredInStock: true }, null, true],
  [null, { declaredInStock: true }, null, true],
  [null, { declaredInStock: false }, 0, false],
] as const)(
  'on a stored %s, %j stores %s, in stock %s, on the offer and on what it sells as',
  async ([declaredStockQuantity, body, quantity, inStock], { gateway }) => {
    const { offerIn, send } = await newOfferFixture(gateway);
    const id = await offerIn('Approved', { said: { declaredStockQuantity } });
    const answer = await send('PATCH', `/${id}/stock`, body);
    expect(answer.payload).toMatchObject({
      status: 'Approved',
      stock: { declaredQuantity: quantity, declaredInStock: inStock },
    });
    expect(await rowOf(gateway.sql, id)).toMatchObject({
      declaredStockQuantity: quantity,
      declaredInStock: inStock,
    });
    expect(await supplyOf(gateway, id)).toMatchObject({
      stockQuantity: quantity,
      inStock,
      isPaused: false,
    });
  },
);

test.for(offerStatuses)(
  'stock of a %s offer applies at once and never moves its status',
  async (status, { gateway }) => {
    const { offerIn, send, read } = await newOfferFixture(gateway);
    const id = await offerIn(status);
    const history = await gateway.sql`select * from offer_status_changes where offer_id = ${id}`;
    for (const body of [
      { declaredInStock: true, declaredStockQuantity: 4 },
      { declaredInStock: false },
      { declaredInStock: true },
    ]) {
      expect((await send('PATCH', `/${id}/stock`, body)).payload).toMatchObject({ status });
    }
    const stock = { declaredQuantity: null, declaredInStock: true };
    expect((await read(id)).payload).toMatchObject({ status, stock });
    expect(await gateway.sql`select * from offer_status_changes where offer_id = ${id}`).toEqual(
      history,
    );
  },
);

test.for(offerStatuses)(
  'the state that is stored, pushed to a %s offer again, is a no-op',
  async (status, { gateway }) => {
    const { offerIn, send } = await newOfferFixture(gateway);
    const id = await offerIn(status, { barcode: null, said: { declaredStockQuantity: 7 } });
    const before = await recordOf(gateway, id);
    for (const body of [
      { declaredInStock: true, declaredStockQuantity: 7 },
      { declaredInStock: true },
    ]) {
      const answer = await send('PATCH', `/${id}/stock`, body);
      expect(answer).toMatchObject({ status: 200, payload: { stock: { declaredQuantity: 7 } } });
    }
    expect(await recordOf(gateway, id)).toBe(before);
  },
);

test('an empty stock pushed again is a no-op too, and a change counts as one version', async ({
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

test('a Rejected offer accepts stock only with a barcode, and stays Rejected', async ({
  gateway,
}) => {
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

test('in every other status no barcode is asked for, PendingRepricing included', async ({
  gateway,
}) => {
  for (const status of offerStatuses.filter((status) => status !== 'Rejected')) {
    const { offerIn, send } = await newOfferFixture(gateway);
    const id = await offerIn(status, { barcode: null });
    const answer = await send('PATCH', `/${id}/stock`, { declaredInStock: true });
    expect(answer).toMatchObject({
      status: 200,
      payload: { status, stock: { declaredInStock: true } },
    });
  }
});

test('it works on manual and imported offers too, with the id in any letter case', async ({
  gateway,
}) => {
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

test("another vendor's, an unknown one and no uuid are the same 404, and nothing changes", async ({
  gateway,
}) => {
  const owner = await newOfferFixture(gateway);
  const stranger = await newOfferFixture(gateway);
  const id = await owner.offerIn('Approved');
  const before = await recordOf(gateway, id);
  for (const given of [id, unknownId(), '1', `${id}x`, '%00', 'x'.repeat(300), '%2e%2e%2f']) {
    const answer = await stranger.send('PATCH', `/${given}/stock`, { declaredInStock: true });
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
] as const)('%j is refused, and changes nothing: %j', async ([body, errors], { gateway }) => {
  const { offerIn, send } = await newOfferFixture(gateway);
  const id = await offerIn('Approved', { said: { declaredStockQuantity: 7 } });
  const before = await recordOf(gateway, id);
  const answer = await send('PATCH', `/${id}/stock`, body);
  expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
  expect(fieldErrorsOf(answer)).toEqual(errors);
  expect(await recordOf(gateway, id)).toBe(before);
});

test('a wrong body comes before a missing offer; an absent body is a missing declaration', async ({
  gateway,
}) => {
  const { send } = await newOfferFixture(gateway);
  expect(fieldErrorsOf(await send('PATCH', `/${unknownId()}/stock`))).toEqual([
    'DeclaredInStock required',
  ]);
});

test('what was pushed before the approval is what the supply option starts with', async ({
  gateway,
}) => {
  const { create, send, decide } = await newOfferFixture(gateway);
  const id = await create({ isMatched: false });
  await send('PATCH', `/${id}/stock`, { declaredInStock: true, declaredStockQuantity: 42 });
  await decide(id, 'approve', { variantId: (await newVariant(gateway)).id });
  expect(await supplyOf(gateway, id)).toMatchObject({ stockQuantity: 42, inStock: true });
});

test('of fifty pushes at once each counts, and offer and supply option end alike', async ({
  gateway,
}) => {
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

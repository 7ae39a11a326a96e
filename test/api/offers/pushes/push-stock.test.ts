import { expect } from 'vitest';
import { percentageOfSale } from '../../../support/api/actors.ts';
import { fieldErrorsOf, unknownId } from '../../../support/api/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { newOfferFixture, recordOf, supplyOf } from '../offer-fixture.ts';
import { rowOf } from '../offer-record.ts';

// The rule has its cases in `test/domain/offers/stock.test.ts` and `model`, the body in
// `push-body.test.ts`, the statement in `test/db/offers/pushes.test.ts`.

const inStock = (declaredStockQuantity: number) => ({
  declaredInStock: true,
  declaredStockQuantity,
});

test('changes only the stock, in the nested form, and nothing when repeated', async ({
  gateway,
}) => {
  const { offerIn, read, send } = await newOfferFixture(gateway, percentageOfSale);
  const id = await offerIn('Approved', { declared: { vendorSku: 'S', rawSizeMl: 5 } });
  const before = (await read(id)).payload;
  const answer = await send('PATCH', `/${id.toUpperCase()}/stock`, inStock(12));
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  const stock = { declaredQuantity: 12, declaredInStock: true };
  expect(answer.payload).toStrictEqual({ ...before, stock });
  expect((await read(id)).payload).toStrictEqual(answer.payload);
  const record = await recordOf(gateway, id);
  await send('PATCH', `/${id}/stock`, { declaredInStock: true });
  expect(await recordOf(gateway, id)).toBe(record);
});

test('refuses a Rejected offer without a barcode and a malformed body, and stores nothing', async ({
  gateway,
}) => {
  const { offerIn, send } = await newOfferFixture(gateway);
  const id = await offerIn('Rejected', { barcode: null });
  const before = await recordOf(gateway, id);
  for (const [body, errors] of [
    [inStock(5), ['Barcode required']],
    [
      { declaredStockQuantity: -1 },
      ['DeclaredInStock required', 'DeclaredStockQuantity too_small'],
    ],
    [
      '{"declaredInStock":true,"declaredStockQuantity":1e400}',
      ['DeclaredStockQuantity invalid_integer', 'DeclaredStockQuantity too_large'],
    ],
  ] as const)
    expect(fieldErrorsOf(await send('PATCH', `/${id}/stock`, body))).toEqual(errors);
  expect(await recordOf(gateway, id)).toBe(before);
  // The body is judged before the offer, and an absent one as an empty one.
  const unknown = await send('PATCH', `/${unknownId()}/stock`);
  expect(fieldErrorsOf(unknown)).toEqual(['DeclaredInStock required']);
});

test('stores each of fifty concurrent pushes in offer and supply option', async ({ gateway }) => {
  const { offerIn, send } = await newOfferFixture(gateway);
  const id = await offerIn('Approved');
  const quantities = Array.from({ length: 50 }, (_, index) => index + 1);
  const answers = await Promise.all(
    quantities.map((quantity) => send('PATCH', `/${id}/stock`, inStock(quantity))),
  );
  expect(answers.map(({ payload }) => payload?.['stock'])).toMatchObject(
    quantities.map((declaredQuantity) => ({ declaredQuantity })),
  );
  const row = await rowOf(gateway.sql, id);
  expect(row).toMatchObject({ version: 52, declaredInStock: true });
  expect(await supplyOf(gateway, id)).toMatchObject({
    stockQuantity: row?.['declaredStockQuantity'],
    updatedAt: row?.['changedAt'],
  });
});

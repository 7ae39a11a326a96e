import { expect } from 'vitest';
import { percentageOfSale } from '../../support/actors.ts';
import { fieldErrorsOf, refusal, type Answer } from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { barcodes, newOfferFixture, recordOf } from '../offer-fixture.ts';
import { pushes, send } from '../pushes/vendor-price-pushes-fixture.ts';

// What a client reads may be sent back (D72 to D76), and a refusal says what to send (D87).

for (const push of pushes) {
  test(`D72: ${push.name} or PATCH of the staged price, net or gross, changes nothing`, async ({
    gateway,
  }) => {
    const fixture = await newOfferFixture(gateway, push.agreement);
    const id = await fixture.offerIn('Approved', { said: push.said });
    const staged = await send(fixture, push, id, push.body(1000, true));
    expect(staged.payload?.[push.at]).toMatchObject({
      pending: { amount: 869.57, [push.vat]: 130.43 },
    });
    const before = await recordOf(gateway, id);
    for (const body of [push.body(869.57, false), push.body(1000, true)]) {
      for (const answer of [await send(fixture, push, id, body), await fixture.patch(id, body)]) {
        expect(answer).toMatchObject({ status: 200 });
        expect(answer.payload?.[push.at]).toMatchObject({
          pending: { amount: 869.57, [push.vat]: 130.43 },
        });
      }
    }
    expect(await recordOf(gateway, id)).toBe(before);
    await fixture.decide(id, 'pending-price/apply');
    expect((await fixture.read(id)).payload?.[push.at]).toMatchObject({
      amount: 869.57,
      [push.vat]: 130.43,
      enteredVatInclusive: true,
    });
  });

  test(`D72: ${push.name} of the live price still discards another staged one`, async ({
    gateway,
  }) => {
    const fixture = await newOfferFixture(gateway, push.agreement);
    const id = await fixture.offerIn('Approved', { said: push.said });
    await send(fixture, push, id, push.body(1000, true));
    const answer = await send(fixture, push, id, push.body(100, false));
    expect(answer.payload?.[push.at]).toMatchObject({ amount: 100, pending: null });
  });
}

const stockRoute = expect.stringContaining('PATCH /api/v1/scent/offers/{id}/stock') as unknown;
const olderFormRefused = (answer: Answer) =>
  expect(answer).toMatchObject({
    ...refusal('BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT', {
      field: 'Cost',
      pricingModel: 'PercentageOfSale',
      fieldToSend: 'SalePrice',
      message: stockRoute,
    }),
  });

test.for<Record<string, unknown>>([
  { declaredInStock: true },
  { declaredStockQuantity: null },
  { declaredInStock: null, declaredStockQuantity: null },
  { declaredInStock: false, declaredStockQuantity: 5 },
  { declaredInStock: true, barcode: barcodes.first },
  { declaredInStock: true, salePrice: 5, salePriceIsVatInclusive: true },
  { declaredInStock: true, salePrice: 5 },
  { declaredStockQuantity: 3, cost: 5 },
  { declaredStockQuantity: 3, cost: 5, costIsVatInclusive: true },
])(
  'D74: under Model 2 the older form %j is 422 and names the stock route',
  async (body, { gateway }) => {
    const fixture = await newOfferFixture(gateway, percentageOfSale);
    const id = await fixture.offerIn('PendingReview');
    const before = await recordOf(gateway, id);
    olderFormRefused(await fixture.patch(id, body));
    expect(await recordOf(gateway, id)).toBe(before);
  },
);

test('D74: a malformed field is 400 under Model 2 too, and an unknown offer 404', async ({
  gateway,
}) => {
  const fixture = await newOfferFixture(gateway, percentageOfSale);
  const id = await fixture.offerIn('PendingReview');
  const malformed = await fixture.patch(id, { declaredInStock: 'yes' });
  expect(malformed).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS' });
  // The malformed field alone: neither a cost nor another body of the older form would help.
  expect(fieldErrorsOf(malformed)).toEqual(['DeclaredInStock invalid_type']);
  const clashing = { declaredStockQuantity: 3, rawSizeMl: 'x', salePrice: 5, unknown: 1 };
  expect(fieldErrorsOf(await fixture.patch(id, clashing))).toEqual([
    'RawSizeMl invalid_type',
    'Unknown unknown_field',
  ]);
  const other = await newOfferFixture(gateway);
  const body = { cost: 5, costIsVatInclusive: true, declaredInStock: true };
  expect(await other.patch(id, body)).toMatchObject(refusal('NOT_FOUND_VENDOR_OFFER'));
});

test('D74: under Model 1 null stock is the older form, declares none and needs the cost', async ({
  gateway,
}) => {
  const fixture = await newOfferFixture(gateway);
  const id = await fixture.create({ said: { declaredStockQuantity: 7 } });
  const stock = { declaredInStock: null, declaredStockQuantity: null };
  expect(fieldErrorsOf(await fixture.patch(id, stock))).toEqual([
    'Cost required',
    'CostIsVatInclusive required',
  ]);
  const answer = await fixture.patch(id, { ...stock, cost: 50, costIsVatInclusive: false });
  expect(answer.payload).toMatchObject({
    cost: 50,
    declaredStockQuantity: 7,
    declaredInStock: true,
  });
});

test.for<Record<string, unknown>>([
  { costIsVatInclusive: true },
  { cost: null, costIsVatInclusive: false },
  { salePriceIsVatInclusive: true },
  { salePrice: null, salePriceIsVatInclusive: false },
])('D75: the flag alone, %j, is ignored', async (body, { gateway }) => {
  const fixture = await newOfferFixture(gateway);
  const id = await fixture.offerIn('Approved');
  const before = await recordOf(gateway, id);
  expect((await fixture.patch(id, body)).status).toBe(200);
  expect(await recordOf(gateway, id)).toBe(before);
});

test('D76: a cost of 0 is information in Model 2, and 400 and never approved in Model 1', async ({
  gateway,
}) => {
  const fixture = await newOfferFixture(gateway, percentageOfSale);
  const said = { cost: 0, salePrice: null, salePriceIsVatInclusive: null };
  const id = await fixture.create({ said });
  expect((await fixture.read(id)).payload).toMatchObject({ cost: { amount: 0, inputVat: 0 } });
  const draft = await fixture.create({ isMatched: true, said: { ...said, saveAsDraft: true } });
  await fixture.switchAgreement({ pricingModel: 'CostPlusMargin', rateBasisPoints: 1000 });
  await fixture.send('POST', `/${draft}/submit`);
  await expect(fixture.decide(draft, 'approve')).rejects.toThrow('BUSINESS_OFFER_PRICE_REQUIRED');

  const { send: sendOne } = await newOfferFixture(gateway);
  const names = { rawBrandName: 'B', rawProductName: 'P', costIsVatInclusive: false };
  for (const [cost, message] of [
    [0, 'must be above 0 under CostPlusMargin'],
    [1.2345, expect.stringContaining('round it to halalas')],
    [-1, expect.stringMatching(/^must be above 0 \(0 only under PercentageOfSale\), at most/)],
  ]) {
    const answer = await sendOne('POST', '', { ...names, cost });
    expect(answer.details).toMatchObject({
      errors: [{ field: 'Cost', code: 'invalid_amount', message }],
    });
  }
});

test('D76: after a switch to Model 1 a stored cost of 0 sent back changes nothing', async ({
  gateway,
}) => {
  const fixture = await newOfferFixture(gateway, percentageOfSale);
  const id = await fixture.offerIn('Approved', { said: { cost: 0, declaredStockQuantity: 7 } });
  await fixture.switchAgreement({ pricingModel: 'CostPlusMargin', rateBasisPoints: 1000 });
  expect((await fixture.read(id)).payload).toMatchObject({
    status: 'PendingRepricing',
    cost: { amount: 0, isVatInclusive: false },
  });
  const before = await recordOf(gateway, id);
  const stored = { cost: 0, costIsVatInclusive: false };
  for (const body of [stored, { ...stored, declaredStockQuantity: 7, declaredInStock: true }])
    expect(await fixture.patch(id, body)).toMatchObject({ status: 200 });
  // It is no price of the new model, so the offer still waits for one.
  expect(await recordOf(gateway, id)).toBe(before);

  const other = await newOfferFixture(gateway);
  const priced = await other.offerIn('Approved');
  for (const body of [stored, { ...stored, declaredStockQuantity: 7 }])
    expect(fieldErrorsOf(await other.patch(priced, body))).toEqual(['Cost invalid_amount']);
  const { details } = await other.patch(priced, { ...stored, cost: -1 });
  const message: unknown = expect.stringMatching(
    /^must be above 0 \(0 only if it is the stored cost\), at most/,
  );
  expect(details).toMatchObject({ errors: [{ field: 'Cost', code: 'invalid_amount', message }] });
  expect(fieldErrorsOf(await fixture.send('PATCH', `/${id}/cost`, stored))).toEqual([
    'Cost invalid_amount',
  ]);
});

test('D87: a price field of the other model gets the agreement and the field to send', async ({
  gateway,
}) => {
  const one = await newOfferFixture(gateway);
  const id = await one.offerIn('Approved');
  expect(await one.patch(id, { salePrice: 5, salePriceIsVatInclusive: true })).toMatchObject(
    refusal('BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT', {
      field: 'SalePrice',
      pricingModel: 'CostPlusMargin',
      fieldToSend: 'Cost',
      message:
        'The agreement in force is CostPlusMargin (model 1): send cost with its VAT flag instead ' +
        'of salePrice.',
    }),
  );
});

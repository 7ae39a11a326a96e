import { describe, expect } from 'vitest';
import { costPlus, freeFormOffer, percentageOfSale } from '../../../support/api/actors.ts';
import { call, fieldErrorsOf, refusal, textOf } from '../../../support/api/api.ts';
import { instant, uuid } from '../../../support/api/matchers.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { newNestedOffer } from '../nested-offer.ts';
import { barcodes, newOfferFixture, recordOf, supplyOf } from '../offer-fixture.ts';
import { flatForm, rowOf } from '../offer-record.ts';

// The rules have their cases in `test/domain/offers`, the body in `offer-body.test.ts`.

const cost = (amount: number, costIsVatInclusive = false) => ({ cost: amount, costIsVatInclusive });
const sale = (amount: number) => ({ salePrice: amount, salePriceIsVatInclusive: true });
const described = {
  vendorSku: 'SKU-1',
  vendorExternalId: 'key-1',
  rawConcentration: 'EDP',
  rawDescription: 'Text 1',
  rawSizeMl: 50,
  declaredStockQuantity: 7,
};

describe('the newer form', () => {
  test('returns the nested form with each field as it was sent, money as net', async ({
    gateway,
  }) => {
    const { create, patch, read } = await newOfferFixture(gateway);
    const id = await create({ isMatched: false });
    const plain = newNestedOffer(id);
    const stored = { ...plain, product: { ...plain.product, barcode: barcodes.first } };
    // A call without a body is one with an empty body.
    for (const body of [{}, undefined]) {
      const unchanged = await patch(id, body);
      expect(unchanged).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
      expect(unchanged.payload).toStrictEqual(stored);
    }
    const product = {
      vendorSku: ' V-1 ',
      barcode: barcodes.second,
      rawBrandName: 'Bränd "x" \\ \'y\'',
      rawProductName: '<b>Product</b>',
      rawConcentration: ' EDP ',
      rawDescription: 'line\nline\ttab',
      rawSizeMl: 75,
    };
    const answer = await patch(id, {
      ...product,
      vendorExternalId: 'Key-Ä😀',
      ...cost(1000, true),
    });
    expect(answer.payload).toStrictEqual({
      ...plain,
      vendorExternalId: 'Key-Ä😀',
      product: { ...plain.product, ...product },
      cost: { ...plain.cost, amount: 869.57, enteredVatInclusive: true, inputVat: 130.43 },
    });
    expect((await read(id)).payload).toStrictEqual(answer.payload);
    expect(await rowOf(gateway.sql, id)).toMatchObject({ version: 2 });
  });

  test('stores a sale price under Model 2', async ({ gateway }) => {
    const { offerIn, patch } = await newOfferFixture(gateway, percentageOfSale);
    expect((await patch(await offerIn('Draft'), sale(345))).payload).toMatchObject({
      price: { amount: 300, vat: 45, enteredVatInclusive: true, pending: null },
    });
  });
});

describe('the older form', () => {
  test('returns the flat form', async ({ gateway }) => {
    const { create, patch, vendor } = await newOfferFixture(gateway);
    const id = await create({ isMatched: false });
    const stock = { declaredStockQuantity: 3, declaredInStock: true };
    const answer = await patch(id, { ...cost(230, true), ...stock, rawSizeMl: 50 });
    expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    expect(answer.payload).toStrictEqual({
      ...flatForm(vendor.vendorId),
      ...stock,
      id,
      cost: 200,
      costEnteredVatInclusive: true,
      inputVatAmount: 30,
      rawSizeMl: 50,
      version: 2,
    });
  });

  test('returns what a repeated create returns, and applies stock to the supply option', async ({
    gateway,
  }) => {
    const fixture = await newOfferFixture(gateway);
    const { offerIn, patch, send, decide } = fixture;
    const key = { vendorExternalId: 'flat' };
    const id = await offerIn('Approved', { declared: key });
    const replay = () => send('POST', '', { ...freeFormOffer, ...key });
    const staged = await patch(id, { ...cost(230, true), declaredStockQuantity: 9 });
    expect(staged.payload).toMatchObject({
      status: 'Approved',
      cost: 100,
      pendingCost: 200,
      pendingInputVatAmount: 30,
      supplyOptionId: uuid,
      syncPaused: false,
      reviewedAt: instant,
      version: 3,
    });
    expect((await replay()).payload).toStrictEqual(staged.payload);
    expect(await supplyOf(gateway, id)).toMatchObject({ stockQuantity: 9, inStock: true });

    await decide(id, 'suspend', { reason: 'Stop.' });
    const suspended = await patch(id, { ...cost(100), declaredInStock: false });
    expect(suspended.payload).toMatchObject({
      status: 'Suspended',
      declaredStockQuantity: 0,
      syncPaused: true,
      supplyOptionId: (await supplyOf(gateway, id))?.['id'],
      reviewReason: 'Stop.',
      reviewedByUserId: null,
    });
    expect((await replay()).payload).toStrictEqual(suspended.payload);
  });

  test('under Model 2 is 422, and names the stock route and malformed fields (D74)', async ({
    gateway,
  }) => {
    const fixture = await newOfferFixture(gateway, percentageOfSale);
    const id = await fixture.offerIn('PendingReview');
    const before = await recordOf(gateway, id);
    const body = { declaredInStock: true, barcode: barcodes.first, salePrice: 5 };
    expect(await fixture.patch(id.toUpperCase(), body)).toMatchObject(
      refusal('BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT', {
        field: 'Cost',
        pricingModel: 'PercentageOfSale',
        fieldToSend: 'SalePrice',
        message: expect.stringContaining('PATCH /api/v1/scent/offers/{id}/stock'),
      }),
    );
    const malformed = { declaredStockQuantity: 3, rawSizeMl: 'x', salePrice: 5, unknown: 1 };
    expect(fieldErrorsOf(await fixture.patch(id, malformed))).toEqual([
      'RawSizeMl invalid_type',
      'Unknown unknown_field',
    ]);
    const other = await newOfferFixture(gateway, percentageOfSale);
    expect(fieldErrorsOf(await other.patch(id, { declaredInStock: true }))).toEqual([
      'Cost required',
      'CostIsVatInclusive required',
    ]);
    expect(await recordOf(gateway, id)).toBe(before);
  });
});

/** What a vendor sends back that takes the nested form for its own record. */
function roundTrip(payload: Readonly<Record<string, unknown>> | null): Record<string, unknown> {
  const { vendorExternalId, product, cost, price, pricingModel } = payload as {
    pricingModel: { model: 1 | 2 };
    vendorExternalId: string | null;
    product: Record<string, unknown>;
    cost: { amount: number | null; isVatInclusive: boolean };
    price: { amount: number | null; isVatInclusive: boolean };
  };
  const { variantId: _, ...details } = product;
  // The price of the other model is stored, but not for this agreement (D73).
  const declared =
    pricingModel.model === 1
      ? { cost: cost.amount, costIsVatInclusive: cost.isVatInclusive }
      : { salePrice: price.amount, salePriceIsVatInclusive: price.isVatInclusive };
  return { ...details, vendorExternalId, ...declared };
}

test.for([
  [costPlus, { declared: described }],
  [percentageOfSale, { declared: described, barcode: null }],
  // Keeps how a gross price was entered, live and staged (D72).
  [costPlus, { declared: cost(1000, true) }, cost(2000, true)],
] as const)('a round trip under %o of %j with %j changes nothing', async (row, { gateway }) => {
  const [agreement, given, change] = row;
  const { offerIn, patch, read } = await newOfferFixture(gateway, agreement);
  const id = await offerIn('Approved', given);
  if (change !== undefined) await patch(id, change);
  const { payload } = await read(id);
  const before = await recordOf(gateway, id);
  expect(await patch(id, roundTrip(payload))).toMatchObject({ status: 200, payload });
  expect(await recordOf(gateway, id)).toBe(before);
});

test('a stored cost of 0 sent back after a switch to Model 1 changes nothing (D76)', async ({
  gateway,
}) => {
  const fixture = await newOfferFixture(gateway, percentageOfSale);
  const id = await fixture.offerIn('Approved', { declared: { cost: 0, declaredStockQuantity: 7 } });
  await fixture.switchAgreement(costPlus);
  const before = await recordOf(gateway, id);
  const stock = { declaredStockQuantity: 7, declaredInStock: true };
  for (const body of [cost(0), { ...cost(0), ...stock }])
    expect(await fixture.patch(id, body)).toMatchObject({ status: 200 });
  // It is no price of the new model, so the offer still waits for one.
  expect(await recordOf(gateway, id)).toBe(before);
  const message: unknown = expect.stringMatching(/\(0 only if it is the stored cost\)/);
  expect((await fixture.patch(id, cost(-1))).details).toMatchObject({ errors: [{ message }] });
});

test.for([
  ['Draft', { isMatched: false }, { rawBrandName: ' ', vendorSku: 'S' }, 'RawBrandName required'],
  ['Draft', {}, '{"cost":01}', 'Body malformed'],
  ['Approved', { barcode: null }, { vendorSku: 'S' }, 'Barcode required'],
  ['Approved', {}, { vendorExternalId: 'taken', vendorSku: 'S' }, 'VendorExternalId taken'],
] as const)('refuses %s %j, %j: %s, and stores nothing', async (row, { gateway }) => {
  const [status, given, body, error] = row;
  const { create, offerIn, patch } = await newOfferFixture(gateway);
  await create({ declared: { vendorExternalId: 'taken' } });
  const id = await offerIn(status, given);
  const before = await recordOf(gateway, id);
  const answer = await patch(id, body);
  expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
  expect(fieldErrorsOf(answer)).toEqual([error]);
  expect(await recordOf(gateway, id)).toBe(before);
});

test('returns 404 for a manual and an imported offer, and changes neither', async ({ gateway }) => {
  const fixture = await newOfferFixture(gateway, percentageOfSale);
  const { create, patch, vendor, operator } = fixture;
  const url = `/operator/v1/vendors/${vendor.vendorId}/offers`;
  const manual = textOf(
    await call(gateway, 'POST', url, { ...operator, body: freeFormOffer }),
    'id',
  );
  const imported = await create();
  await gateway.sql`update offers set source = 'Import' where id = ${imported}`;
  for (const id of [manual, imported]) {
    const before = await recordOf(gateway, id);
    for (const body of [{ vendorSku: 'S' }, { ...cost(1), declaredInStock: true }])
      expect(await patch(id, body)).toMatchObject(refusal('NOT_FOUND_VENDOR_OFFER'));
    expect(await recordOf(gateway, id)).toBe(before);
  }
});

test("the idempotency key is the offer's current vendorExternalId", async ({ gateway }) => {
  const { create, patch, send } = await newOfferFixture(gateway);
  const other = await newOfferFixture(gateway);
  await other.create({ declared: { vendorExternalId: 'after' } });
  const id = await create({ declared: { vendorExternalId: 'before' } });
  const submit = (vendorExternalId: string) =>
    send('POST', '', { ...freeFormOffer, vendorExternalId });
  await patch(id, { vendorExternalId: 'after' });
  expect(await submit('after')).toMatchObject({ status: 200, payload: { id, version: 2 } });
  expect((await submit('before')).status).toBe(201);
  await patch(id, { vendorExternalId: '' });
  expect((await submit('after')).status).toBe(201);
});

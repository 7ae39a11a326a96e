import { expect } from 'vitest';
import { freeFormOffer, percentageOfSale } from '../../../support/api/actors.ts';
import { fieldErrorsOf, refusal } from '../../../support/api/api.ts';
import { instant, uuid } from '../../../support/api/matchers.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { newNestedOffer } from '../nested-offer.ts';
import { barcodes, newOfferFixture, recordOf, supplyOf } from '../offer-fixture.ts';
import { rowOf } from '../offer-record.ts';

// The rules have their cases in `test/domain/offers`, the body in `offer-body.test.ts`.

const cost = (amount: number, costIsVatInclusive = false) => ({ cost: amount, costIsVatInclusive });

test('returns for the newer form the nested form, each field as it was sent, money as net', async ({
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
  const response = await patch(id, {
    ...product,
    vendorExternalId: 'Key-Ä😀',
    ...cost(1000, true),
  });
  expect(response.payload).toStrictEqual({
    ...plain,
    vendorExternalId: 'Key-Ä😀',
    product: { ...plain.product, ...product },
    cost: { ...plain.cost, amount: 869.57, enteredVatInclusive: true, inputVat: 130.43 },
  });
  expect((await read(id)).payload).toStrictEqual(response.payload);
  expect(await rowOf(gateway.sql, id)).toMatchObject({ version: 2 });
});

test('stores a sale price under Model 2; shows the cost beside it (D73)', async ({ gateway }) => {
  const { offerIn, patch } = await newOfferFixture(gateway, percentageOfSale);
  const sale = { salePrice: 345, salePriceIsVatInclusive: true };
  expect((await patch(await offerIn('Draft'), sale)).payload).toMatchObject({
    cost: { amount: 100 },
    price: { amount: 300, vat: 45, enteredVatInclusive: true, pending: null },
  });
});

test('returns for the older form what a repeated create does; updates the supply option', async ({
  gateway,
}) => {
  const { offerIn, patch, send, decide } = await newOfferFixture(gateway);
  const key = { vendorExternalId: 'flat' };
  const id = await offerIn('Approved', { declared: key });
  const replay = () => send('POST', '', { ...freeFormOffer, ...key });
  const staged = await patch(id, { ...cost(230, true), declaredStockQuantity: 9 });
  expect(staged).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
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

test('refuses the older form under Model 2; names stock route or malformed fields (D74)', async ({
  gateway,
}) => {
  const { offerIn, patch } = await newOfferFixture(gateway, percentageOfSale);
  const id = await offerIn('PendingReview');
  const before = await recordOf(gateway, id);
  const body = { declaredInStock: true, barcode: barcodes.first, salePrice: 5 };
  expect(await patch(id.toUpperCase(), body)).toMatchObject(
    refusal('BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT', {
      field: 'Cost',
      pricingModel: 'PercentageOfSale',
      fieldToSend: 'SalePrice',
      message: expect.stringContaining('PATCH /api/v1/scent/offers/{id}/stock'),
    }),
  );
  const malformed = { declaredStockQuantity: 3, rawSizeMl: 'x', salePrice: 5, unknown: 1 };
  const errors = ['RawSizeMl invalid_type', 'Unknown unknown_field'];
  expect(fieldErrorsOf(await patch(id, malformed))).toEqual(errors);
  // The agreement of another vendor's offer is not looked at.
  const other = await newOfferFixture(gateway, percentageOfSale);
  const missing = ['Cost required', 'CostIsVatInclusive required'];
  expect(fieldErrorsOf(await other.patch(id, { declaredInStock: true }))).toEqual(missing);
  expect(await recordOf(gateway, id)).toBe(before);
});

// Keeps how a gross price was entered, live and staged (D72).
test('changes nothing when a vendor sends back what it has read', async ({ gateway }) => {
  const { offerIn, patch, read } = await newOfferFixture(gateway);
  const texts = { vendorExternalId: 'K', vendorSku: 'S', rawConcentration: 'C', rawSizeMl: 50 };
  const id = await offerIn('Approved', { declared: { ...texts, ...cost(1000, true) } });
  await patch(id, cost(2000, true));
  const { payload } = await read(id);
  const before = await recordOf(gateway, id);
  const { vendorExternalId, product, cost: live } = payload ?? {};
  const { amount, isVatInclusive } = live as { amount: number; isVatInclusive: boolean };
  const { variantId: _, ...details } = product as Record<string, unknown>;
  const body = { ...details, vendorExternalId, ...cost(amount, isVatInclusive) };
  expect(await patch(id, body)).toMatchObject({ status: 200, payload });
  expect(await recordOf(gateway, id)).toBe(before);
});

test.for([
  ['Draft', { isMatched: false }, { rawBrandName: ' ', vendorSku: 'S' }, 'RawBrandName required'],
  ['Draft', {}, '{"cost":01}', 'Body malformed'],
  ['Approved', { barcode: null }, { vendorSku: 'S' }, 'Barcode required'],
  ['Approved', {}, { vendorExternalId: 'taken', vendorSku: 'S' }, 'VendorExternalId taken'],
] as const)('refuses for %s %j the body %j: %s, and stores nothing', async (row, { gateway }) => {
  const [status, given, body, error] = row;
  const { create, offerIn, patch } = await newOfferFixture(gateway);
  await create({ declared: { vendorExternalId: 'taken' } });
  const id = await offerIn(status, given);
  const before = await recordOf(gateway, id);
  const response = await patch(id, body);
  expect(response).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
  expect(fieldErrorsOf(response)).toEqual([error]);
  expect(await recordOf(gateway, id)).toBe(before);
});

test.for(['Manual', 'Import'])('returns 404 for the source %s', async (source, { gateway }) => {
  const { create, patch } = await newOfferFixture(gateway);
  const id = await create();
  await gateway.sql`update offers set source = ${source} where id = ${id}`;
  const before = await recordOf(gateway, id);
  for (const body of [{ vendorSku: 'S' }, { ...cost(1), declaredInStock: true }])
    expect(await patch(id, body)).toMatchObject(refusal('NOT_FOUND_VENDOR_OFFER'));
  expect(await recordOf(gateway, id)).toBe(before);
});

test('finds an offer by its current vendorExternalId only', async ({ gateway }) => {
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

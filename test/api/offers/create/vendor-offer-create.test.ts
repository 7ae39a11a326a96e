import { expect } from 'vitest';
import { freeFormOffer, newVariant, newVendor, percentageOfSale } from '../../support/actors.ts';
import { call, refusal, textOf, type Gateway } from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { instant, uuid } from '../../support/matchers.ts';

const create = (gateway: Gateway, token: string, body: unknown) =>
  call(gateway, 'POST', '/api/v1/scent/offers', { token, body });
const stored = async (gateway: Gateway, id: string) =>
  (await gateway.sql`select * from offers where id = ${id}`)[0];

/** The flat form of a new offer of which nothing optional was said. */
const plainForm = (vendorId: string) => ({
  id: uuid,
  vendorId,
  variantId: null,
  status: 'PendingMatch',
  source: 'Api',
  vendorSku: null,
  vendorExternalId: null,
  cost: 100,
  pendingCost: null,
  costIsVatInclusive: false,
  costEnteredVatInclusive: false,
  inputVatAmount: 15,
  pendingInputVatAmount: null,
  declaredStockQuantity: null,
  declaredInStock: false,
  rawBrandName: 'Brand',
  rawProductName: 'Product',
  rawConcentration: null,
  rawDescription: null,
  rawSizeMl: null,
  syncPaused: false,
  autoPublishEligible: false,
  reviewedByUserId: null,
  reviewedAt: null,
  reviewReason: null,
  importBatchId: null,
  supplyOptionId: null,
  version: 1,
  createdDate: instant,
  lastModifiedDate: instant,
});

test('the answer is the exact flat form: every field, nulls included, and no other', async ({
  gateway,
}) => {
  const { token, vendorId } = await newVendor(gateway);
  const answer = await create(gateway, token, freeFormOffer);
  expect(answer).toMatchObject({ status: 201, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual(plainForm(vendorId));
  expect(Object.keys(answer.payload ?? {})).toEqual(Object.keys(plainForm(vendorId)));
});

test('everything that is said comes back as it was said', async ({ gateway }) => {
  const { token, vendorId } = await newVendor(gateway);
  const variant = await newVariant(gateway);
  const said = {
    vendorSku: ' V-1 ',
    vendorExternalId: 'Key-Ä😀',
    declaredStockQuantity: 3,
    declaredInStock: true,
    rawBrandName: 'Bränd "x" \\ \'y\'',
    rawProductName: '<b>Product</b>',
    rawConcentration: 'EDP',
    rawDescription: 'line\nline\ttab',
    rawSizeMl: 50,
  };
  const priced = { cost: 1000, costIsVatInclusive: true, barcode: '96385074' };
  const body = { ...said, ...priced, variantId: variant.id.toUpperCase(), saveAsDraft: false };
  const answer = await create(gateway, token, body);
  expect(answer.status).toBe(201);
  expect(answer.payload).toStrictEqual({
    ...plainForm(vendorId),
    ...said,
    variantId: variant.id,
    status: 'PendingReview',
    cost: 869.57,
    costEnteredVatInclusive: true,
    inputVatAmount: 130.43,
  });
  expect(await stored(gateway, textOf(answer, 'id'))).toMatchObject({ barcode: '96385074' });
});

test('null says the same as nothing, and so does a blank string', async ({ gateway }) => {
  const { token, vendorId } = await newVendor(gateway);
  const optional = [
    'variantId',
    'vendorSku',
    'vendorExternalId',
    'barcode',
    'salePrice',
    'declaredInStock',
  ];
  const more = [
    'salePriceIsVatInclusive',
    'declaredStockQuantity',
    'rawConcentration',
    'rawSizeMl',
    'saveAsDraft',
  ];
  const nulls = Object.fromEntries([...optional, ...more].map((name) => [name, null]));
  expect((await create(gateway, token, { ...freeFormOffer, ...nulls })).payload).toStrictEqual(
    plainForm(vendorId),
  );
  const blanks = { vendorSku: '', vendorExternalId: ' \t', barcode: ' ', rawDescription: '\u2003' };
  expect((await create(gateway, token, { ...freeFormOffer, ...blanks })).payload).toStrictEqual(
    plainForm(vendorId),
  );
});

test.for([
  ['a draft', { saveAsDraft: true }, 'Draft', 0],
  ['a free-form entry', {}, 'PendingMatch', 1],
] as const)('%s %j is %s', async ([_what, given, status, messages], { gateway }) => {
  const { token } = await newVendor(gateway);
  const answer = await create(gateway, token, { ...freeFormOffer, ...given });
  expect(answer.payload).toMatchObject({ status });
  const id = textOf(answer, 'id');
  expect(await gateway.sql`select kind from outbox where subject_id = ${id}`).toHaveLength(
    messages,
  );
});

test('a match is PendingReview, needs no names, and brings its barcode when none is sent', async ({
  gateway,
}) => {
  const { token } = await newVendor(gateway);
  const variant = await newVariant(gateway, { barcode: '036000291452' });
  const answer = await create(gateway, token, {
    cost: 5,
    costIsVatInclusive: false,
    variantId: variant.id,
  });
  expect(answer.payload).toMatchObject({
    status: 'PendingReview',
    variantId: variant.id,
    rawBrandName: null,
  });
  expect(await stored(gateway, textOf(answer, 'id'))).toMatchObject({ barcode: '036000291452' });
});

test.for([
  [{ cost: 1000, costIsVatInclusive: true }, 869.57, 130.43],
  [{ cost: 1000, costIsVatInclusive: false }, 1000, 150],
  [{ cost: 0.01, costIsVatInclusive: true }, 0.01, 0],
  [{ cost: 8.16, costIsVatInclusive: false }, 8.16, 1.22],
  [{ cost: 1.15, costIsVatInclusive: true }, 1, 0.15],
  [{ cost: 9_999_999.99, costIsVatInclusive: true }, 8_695_652.17, 1_304_347.82],
  [{ cost: 9_999_999.99, costIsVatInclusive: false }, 9_999_999.99, 1_500_000],
] as const)('%j is %s net and %s VAT', async ([given, cost, inputVatAmount], { gateway }) => {
  const { token } = await newVendor(gateway);
  const answer = await create(gateway, token, { ...freeFormOffer, ...given });
  expect(answer.payload).toMatchObject({ cost, inputVatAmount, costIsVatInclusive: false });
  expect(answer.payload).toMatchObject({ costEnteredVatInclusive: given.costIsVatInclusive });
});

test.for(['100.00', '1e2', '100.000000000000000001', '0.1e3'])(
  '%s in JSON is the number 100',
  async (cost, { gateway }) => {
    const { token } = await newVendor(gateway);
    const body = JSON.stringify({ ...freeFormOffer, rawSizeMl: 1 }).replace('100', cost);
    expect((await create(gateway, token, body)).payload).toMatchObject({ cost: 100 });
  },
);

test.for([
  [{}, null, false],
  [{ declaredStockQuantity: 0 }, 0, false],
  [{ declaredStockQuantity: 1_000_000 }, 1_000_000, true],
  [{ declaredInStock: true }, null, true],
  [{ declaredInStock: false }, 0, false],
] as const)(
  'stock %j is %s, in stock %s',
  async ([given, declaredStockQuantity, declaredInStock], { gateway }) => {
    const { token } = await newVendor(gateway);
    const answer = await create(gateway, token, { ...freeFormOffer, ...given });
    expect(answer.payload).toMatchObject({ declaredStockQuantity, declaredInStock });
  },
);

test('Model 1 with a sale price is 422, and nothing is stored', async ({ gateway }) => {
  const { token, vendorId } = await newVendor(gateway);
  const body = { ...freeFormOffer, salePrice: 5, salePriceIsVatInclusive: true };
  const details = { field: 'SalePrice' };
  expect(await create(gateway, token, body)).toMatchObject(
    refusal('BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT', details),
  );
  expect(await gateway.sql`select 1 from offers where vendor_id = ${vendorId}`).toHaveLength(0);
});

test('Model 2 keeps the sale price, and the cost as information', async ({ gateway }) => {
  const { token } = await newVendor(gateway, { agreement: percentageOfSale });
  const body = { ...freeFormOffer, salePrice: 230, salePriceIsVatInclusive: true };
  const answer = await create(gateway, token, body);
  expect(answer.payload).toMatchObject({ status: 'PendingMatch', cost: 100, inputVatAmount: 15 });
  expect(await stored(gateway, textOf(answer, 'id'))).toMatchObject({
    salePriceNet: 20_000,
    salePriceVat: 3000,
    costNet: 10_000,
  });
  expect((await create(gateway, token, freeFormOffer)).status).toBe(201);
});

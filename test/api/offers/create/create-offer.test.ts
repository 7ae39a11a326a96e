import { expect } from 'vitest';
import {
  freeFormOffer,
  newVariant,
  newVendor,
  percentageOfSale,
  type TestVendor,
} from '../../../support/api/actors.ts';
import { call, refusal, textOf, unknownId, type Gateway } from '../../../support/api/api.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { instant, uuid } from '../../../support/api/matchers.ts';
import { messagesTo, rowOf } from '../offer-record.ts';

// The rules have their cases in `test/domain/offers`, the body in `offer-body.test.ts`.

const test = gatewayTest.extend('vendor', ({ gateway }) => newVendor(gateway));

const send = (gateway: Gateway, { token }: TestVendor, body: unknown) =>
  call(gateway, 'POST', '/api/v1/scent/offers', { token, body });
const create = (gateway: Gateway, vendor: TestVendor, given: Record<string, unknown> = {}) =>
  send(gateway, vendor, { ...freeFormOffer, ...given });
const offersOf = (gateway: Gateway, { vendorId }: TestVendor) =>
  gateway.sql`select id from offers where vendor_id = ${vendorId}`;

/** The flat form of a new offer without an optional field. */
const flatForm = (vendorId: string) => ({
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

test('returns a new offer in the flat form, and writes a message to its review', async ({
  gateway,
  vendor,
}) => {
  const response = await create(gateway, vendor);
  expect(response).toMatchObject({ status: 201, state: 'SUCCESS', details: {} });
  expect(response.payload).toStrictEqual(flatForm(vendor.vendorId));
  expect(Object.keys(response.payload ?? {})).toEqual(Object.keys(flatForm(vendor.vendorId)));
  expect(await messagesTo(gateway.sql, textOf(response, 'id'))).toEqual(['offerReview']);
  const draft = await create(gateway, vendor, { saveAsDraft: true });
  expect(draft.payload).toMatchObject({ status: 'Draft' });
  expect(await messagesTo(gateway.sql, textOf(draft, 'id'))).toEqual([]);
});

test('stores each field of a new offer as it was sent', async ({ gateway, vendor }) => {
  const variant = await newVariant(gateway);
  const sent = {
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
  const body = { ...sent, ...priced, variantId: variant.id.toUpperCase(), saveAsDraft: false };
  const response = await send(gateway, vendor, body);
  expect(response.payload).toStrictEqual({
    ...flatForm(vendor.vendorId),
    ...sent,
    variantId: variant.id,
    status: 'PendingReview',
    cost: 869.57,
    costEnteredVatInclusive: true,
    inputVatAmount: 130.43,
  });
  expect(await rowOf(gateway.sql, textOf(response, 'id'))).toMatchObject({ barcode: '96385074' });
});

test('stores the sale price under Model 2, and a cost of 0 as information (D76)', async ({
  gateway,
}) => {
  const vendor = await newVendor(gateway, { agreement: percentageOfSale });
  const sale = { salePrice: 230, salePriceIsVatInclusive: true };
  const response = await create(gateway, vendor, { ...sale, cost: 0 });
  expect(response.payload).toMatchObject({ status: 'PendingMatch', cost: 0, inputVatAmount: 0 });
  expect(await rowOf(gateway.sql, textOf(response, 'id'))).toMatchObject({
    salePriceNet: 20_000,
    salePriceVat: 3000,
  });
  expect((await create(gateway, vendor)).status).toBe(201);
});

const on = (field: string, code: string) =>
  refusal('VALIDATION_ERRORS', { errors: [{ field, code }] });
const model1 = refusal('BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT', { field: 'SalePrice' });

test.for([
  [{ cost: 0 }, on('Cost', 'invalid_amount')],
  [{ rawBrandName: ' ' }, on('RawBrandName', 'required')],
  [{ variantId: unknownId() }, on('VariantId', 'unknown_variant')],
  [{ variantId: 'inactive' }, on('VariantId', 'unknown_variant')],
  [{ salePrice: 5, salePriceIsVatInclusive: true }, model1],
] as const)('refuses %j, and stores nothing', async ([given, refused], { gateway, vendor }) => {
  const inactive = await newVariant(gateway, { isActive: false });
  const body = JSON.stringify({ ...freeFormOffer, ...given }).replace('inactive', inactive.id);
  expect(await send(gateway, vendor, body)).toMatchObject(refused);
  expect(await offersOf(gateway, vendor)).toHaveLength(0);
});

const key = { vendorExternalId: 'key' };

test('returns the offer of a known vendorExternalId unchanged, whatever else is declared', async ({
  gateway,
  vendor,
}) => {
  const first = await create(gateway, vendor, key);
  expect([first.status, first.details]).toEqual([201, {}]);
  const other = {
    ...key,
    cost: 5,
    rawBrandName: 'Other',
    saveAsDraft: true,
    declaredInStock: true,
    salePrice: 7,
    salePriceIsVatInclusive: false,
    variantId: unknownId(),
  };
  for (const given of [key, other]) {
    const again = await create(gateway, vendor, given);
    expect(again).toMatchObject({ status: 200, details: { existing: true } });
    expect(again.payload).toEqual(first.payload);
  }
  expect((await create(gateway, vendor, { ...key, cost: -1 })).status).toBe(400);
  expect(await offersOf(gateway, vendor)).toHaveLength(1);
});

test('treats another vendor’s or otherwise spelt vendorExternalId as another key', async ({
  gateway,
  vendor,
}) => {
  const other = await newVendor(gateway);
  await create(gateway, other, { vendorExternalId: 'k' });
  for (const vendorExternalId of ['k', 'K', 'k ', ' k', null, null, ''])
    expect((await create(gateway, vendor, { vendorExternalId })).status).toBe(201);
  expect(await offersOf(gateway, vendor)).toHaveLength(7);
  expect(await offersOf(gateway, other)).toHaveLength(1);
});

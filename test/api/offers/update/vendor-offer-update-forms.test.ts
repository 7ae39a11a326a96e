import { expect } from 'vitest';
import { freeFormOffer, percentageOfSale } from '../../support/actors.ts';
import { barcodes, newOfferFixture, supplyOf } from '../offer-fixture.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { instant, uuid } from '../../support/matchers.ts';
import { newNestedOffer } from '../nested-offer.ts';

/** The nested form of an offer that states only its barcode. */
const plainNested = (id: string) => {
  const offer = newNestedOffer(id);
  return { ...offer, product: { ...offer.product, barcode: barcodes.first } };
};

test('the newer form answers every field of the nested form, nulls included, and no other', async ({
  gateway,
}) => {
  const { create, patch } = await newOfferFixture(gateway);
  const id = await create({ isMatched: false });
  const answer = await patch(id, {});
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual(plainNested(id));
});

test('everything that is said by PATCH comes back as it was said, money as NET', async ({
  gateway,
}) => {
  const { create, patch } = await newOfferFixture(gateway);
  const id = await create({ isMatched: false });
  const raw = {
    rawBrandName: 'Bränd "x" \\ \'y\'',
    rawProductName: '<b>Product</b>',
    rawConcentration: ' EDP ',
    rawDescription: 'line\nline\ttab',
    rawSizeMl: 50,
  };
  const answer = await patch(id, {
    ...raw,
    vendorSku: ' V-1 ',
    vendorExternalId: 'Key-Ä😀',
    barcode: barcodes.second,
    cost: 1000,
    costIsVatInclusive: true,
  });
  const plain = plainNested(id);
  expect(answer.payload).toStrictEqual({
    ...plain,
    vendorExternalId: 'Key-Ä😀',
    product: { ...plain.product, ...raw, vendorSku: ' V-1 ', barcode: barcodes.second },
    cost: { ...plain.cost, amount: 869.57, enteredVatInclusive: true, inputVat: 130.43 },
  });
});

test('D73: under Model 2 the nested form shows the sale price beside the stored cost', async ({
  gateway,
}) => {
  const { create, patch } = await newOfferFixture(gateway, percentageOfSale);
  const id = await create({ isMatched: false });
  const plain = plainNested(id);
  const answer = await patch(id, { salePrice: 230, salePriceIsVatInclusive: true });
  expect(answer.payload).toStrictEqual({
    ...plain,
    pricingModel: { name: 'PercentageOfSale', model: 2 },
    cost: {
      amount: 100,
      isVatInclusive: false,
      enteredVatInclusive: false,
      inputVat: 15,
      pending: null,
    },
    price: {
      amount: 200,
      isVatInclusive: false,
      enteredVatInclusive: false,
      vat: 30,
      pending: null,
    },
  });
  // 230 gross is the stored 200 net with its VAT of 30: the same price, so how it was entered stays
  // too (D61).
  const other = await patch(id, { salePrice: 115, salePriceIsVatInclusive: true });
  expect(other.payload).toMatchObject({
    price: {
      amount: 100,
      isVatInclusive: false,
      enteredVatInclusive: true,
      vat: 15,
      pending: null,
    },
  });
});

test('a staged price is pending beside the live one, under the names of its model', async ({
  gateway,
}) => {
  const one = await newOfferFixture(gateway);
  const cost = await one.patch(await one.offerIn('Approved'), {
    cost: 115,
    costIsVatInclusive: false,
  });
  expect(cost.payload?.['cost']).toStrictEqual({
    amount: 100,
    isVatInclusive: false,
    enteredVatInclusive: false,
    inputVat: 15,
    pending: { amount: 115, inputVat: 17.25 },
  });
  const two = await newOfferFixture(gateway, percentageOfSale);
  const body = { salePrice: 345, salePriceIsVatInclusive: true };
  const price = await two.patch(await two.offerIn('Approved'), body);
  expect(price.payload?.['price']).toStrictEqual({
    amount: 200,
    isVatInclusive: false,
    enteredVatInclusive: false,
    vat: 30,
    pending: { amount: 300, vat: 45 },
  });
});

test('the older form answers the flat form to the letter', async ({ gateway }) => {
  const { create, patch, vendor } = await newOfferFixture(gateway);
  const id = await create({ isMatched: false });
  const body = {
    cost: 230,
    costIsVatInclusive: true,
    declaredStockQuantity: 3,
    declaredInStock: true,
  };
  const answer = await patch(id, { ...body, rawSizeMl: 50 });
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({
    id,
    vendorId: vendor.vendorId,
    variantId: null,
    status: 'PendingMatch',
    source: 'Api',
    vendorSku: null,
    vendorExternalId: null,
    cost: 200,
    pendingCost: null,
    costIsVatInclusive: false,
    costEnteredVatInclusive: true,
    inputVatAmount: 30,
    pendingInputVatAmount: null,
    declaredStockQuantity: 3,
    declaredInStock: true,
    rawBrandName: 'Brand',
    rawProductName: 'Product',
    rawConcentration: null,
    rawDescription: null,
    rawSizeMl: 50,
    syncPaused: false,
    autoPublishEligible: false,
    reviewedByUserId: null,
    reviewedAt: null,
    reviewReason: null,
    importBatchId: null,
    supplyOptionId: null,
    version: 2,
    createdDate: instant,
    lastModifiedDate: instant,
  });
});

test('the flat form of an older PATCH and of a repeated create has the same fields', async ({
  gateway,
}) => {
  const { offerIn, patch, send, decide, operator } = await newOfferFixture(gateway);
  const key = { vendorExternalId: 'flat' };
  const id = await offerIn('Approved', { said: key });
  const replay = () => send('POST', '', { ...freeFormOffer, ...key });
  const staged = await patch(id, { cost: 115, costIsVatInclusive: true, declaredInStock: true });
  expect(staged.payload).toMatchObject({
    status: 'Approved',
    cost: 100,
    pendingCost: null,
    supplyOptionId: uuid,
    syncPaused: false,
    reviewedAt: instant,
    reviewReason: null,
    reviewedByUserId: null,
    version: 3,
  });
  expect((await replay()).payload).toStrictEqual(staged.payload);

  const again = await patch(id, { cost: 230, costIsVatInclusive: true, declaredInStock: true });
  expect(again.payload).toMatchObject({
    cost: 100,
    pendingCost: 200,
    pendingInputVatAmount: 30,
    version: 4,
  });
  expect((await replay()).payload).toStrictEqual(again.payload);

  await decide(id, 'suspend', { reason: 'Stop.' });
  const body = { cost: 100, costIsVatInclusive: false, declaredInStock: false };
  const suspended = await patch(id, body);
  expect(suspended.payload).toMatchObject({
    status: 'Suspended',
    syncPaused: true,
    supplyOptionId: (await supplyOf(gateway, id))?.['id'],
    reviewReason: 'Stop.',
    reviewedByUserId: null,
  });
  const replayed = await replay();
  expect(replayed.payload).toStrictEqual(suspended.payload);
  for (const secret of [operator.id, operator.operatorId])
    expect(replayed.text).not.toContain(secret);
});

test.for<[Record<string, unknown>, 'flat' | 'nested']>([
  [{}, 'nested'],
  [{ vendorSku: 'S' }, 'nested'],
  [{ cost: 5, costIsVatInclusive: true }, 'nested'],
  [
    { cost: 5, costIsVatInclusive: true, declaredInStock: null, declaredStockQuantity: null },
    'flat',
  ],
  [{ cost: 5, costIsVatInclusive: true, declaredInStock: false }, 'flat'],
  [{ cost: 5, costIsVatInclusive: true, declaredInStock: true }, 'flat'],
  [{ cost: 5, costIsVatInclusive: true, declaredStockQuantity: 0 }, 'flat'],
  [
    { cost: 5, costIsVatInclusive: true, declaredStockQuantity: 4, barcode: null, salePrice: null },
    'flat',
  ],
] as const)(
  'D74: %j is answered in the %s form: a stock key, null too, makes the difference',
  async ([body, form], { gateway }) => {
    const { create, patch } = await newOfferFixture(gateway);
    const answer = await patch(await create(), body);
    expect(answer.status).toBe(200);
    expect(Object.hasOwn(answer.payload ?? {}, 'product')).toBe(form === 'nested');
    expect(Object.hasOwn(answer.payload ?? {}, 'vendorId')).toBe(form === 'flat');
  },
);

import { expect } from 'vitest';
import { offerStatuses, type OfferStatus } from '../../../domain/offers/offer.ts';
import { costPlus, freeFormOffer, newVariant, percentageOfSale } from '../support/actors.ts';
import { barcodes, messagesTo, newBench, recordOf, rowOf, supplyOf } from './offer-fixture.ts';
import { call, fieldErrorsOf, refusal, textOf, unknownId } from '../support/api.ts';
import { gatewayTest as test } from '../../support/gateway-test.ts';

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const uuid = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
const notFound = refusal('NOT_FOUND_VENDOR_OFFER');
const wrongPrice = 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT';

/** The nested form of an offer of which nothing optional was said but the barcode. */
const plainNested = (id: string) => ({
  id,
  status: 'PendingMatch',
  pricingModel: { name: 'CostPlusMargin', model: 1 },
  vendorExternalId: null,
  product: {
    variantId: null,
    vendorSku: null,
    barcode: barcodes.first,
    rawBrandName: 'Brand',
    rawProductName: 'Product',
    rawConcentration: null,
    rawDescription: null,
    rawSizeMl: null,
  },
  cost: {
    amount: 100,
    isVatInclusive: false,
    enteredVatInclusive: false,
    inputVat: 15,
    pending: null,
  },
  price: {
    amount: null,
    isVatInclusive: false,
    enteredVatInclusive: null,
    vat: null,
    pending: null,
  },
  stock: { declaredQuantity: null, declaredInStock: false },
  review: { reviewedAt: null, reason: null },
});

test('the newer form answers the nested form to the letter: every field there, nulls included, and no other', async ({
  gateway,
}) => {
  const { create, patch } = await newBench(gateway);
  const id = await create({ isMatched: false });
  const answer = await patch(id, {});
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual(plainNested(id));
});

test('everything that is said by PATCH comes back as it was said, money as NET', async ({
  gateway,
}) => {
  const { create, patch } = await newBench(gateway);
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

test('under Model 2 the nested form shows the sale price, and nothing of the cost', async ({
  gateway,
}) => {
  const { create, patch } = await newBench(gateway, percentageOfSale);
  const id = await create({ isMatched: false });
  const plain = plainNested(id);
  const answer = await patch(id, { salePrice: 230, salePriceIsVatInclusive: true });
  expect(answer.payload).toStrictEqual({
    ...plain,
    pricingModel: { name: 'PercentageOfSale', model: 2 },
    cost: {
      amount: null,
      isVatInclusive: false,
      enteredVatInclusive: null,
      inputVat: null,
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
  // 230 gross is the stored 200 net with its VAT of 30: the same price, so how it was entered stays too (D61).
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

test('a staged price is shown as pending beside the live one, under each model by its own names', async ({
  gateway,
}) => {
  const one = await newBench(gateway);
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
  const two = await newBench(gateway, percentageOfSale);
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
  const { create, patch, vendor } = await newBench(gateway);
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

test('the flat form tells supply, pause, review and staged cost, in an older PATCH and in a replay of the creation alike', async ({
  gateway,
}) => {
  const { offerIn, patch, send, decide, operator } = await newBench(gateway);
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
    'nested',
  ],
  [{ cost: 5, costIsVatInclusive: true, declaredInStock: false }, 'flat'],
  [{ cost: 5, costIsVatInclusive: true, declaredInStock: true }, 'flat'],
  [{ cost: 5, costIsVatInclusive: true, declaredStockQuantity: 0 }, 'flat'],
  [
    { cost: 5, costIsVatInclusive: true, declaredStockQuantity: 4, barcode: null, salePrice: null },
    'flat',
  ],
] as const)(
  '%j is answered in the %s form: stock, said or not, makes the difference',
  async ([body, form], { gateway }) => {
    const { create, patch } = await newBench(gateway);
    const answer = await patch(await create(), body);
    expect(answer.status).toBe(200);
    expect(Object.hasOwn(answer.payload ?? {}, 'product')).toBe(form === 'nested');
    expect(Object.hasOwn(answer.payload ?? {}, 'vendorId')).toBe(form === 'flat');
  },
);

/** Each field alone, and where the nested form shows it. */
const fields: readonly (readonly [string, string | number])[] = [
  ['vendorSku', 'SKU-2'],
  ['vendorExternalId', 'key-2'],
  ['rawBrandName', 'Brand 2'],
  ['rawProductName', 'Product 2'],
  ['rawConcentration', 'EDT'],
  ['rawDescription', 'Text 2'],
  ['rawSizeMl', 75],
];
const said = {
  vendorSku: 'SKU-1',
  vendorExternalId: 'key-1',
  rawConcentration: 'EDP',
  rawDescription: 'Text 1',
  rawSizeMl: 50,
  declaredStockQuantity: 7,
};

test.for(fields)(
  '%s alone is changed, and everything else kept',
  async ([name, value], { gateway }) => {
    const { create, patch, read } = await newBench(gateway);
    const id = await create({ said });
    const before = (await read(id)).payload as { product: object };
    const answer = await patch(id, { [name]: value });
    const expected =
      name === 'vendorExternalId'
        ? { ...before, [name]: value }
        : { ...before, product: { ...before.product, [name]: value } };
    expect(answer.payload).toStrictEqual(expected);
    expect((await read(id)).payload).toStrictEqual(expected);
    expect(await rowOf(gateway, id)).toMatchObject({ version: 2 });
  },
);

test('null says the same as nothing, for every field', async ({ gateway }) => {
  const { create, patch } = await newBench(gateway);
  const id = await create({ said });
  const before = await recordOf(gateway, id);
  const more = ['barcode', 'cost', 'costIsVatInclusive', 'salePrice', 'salePriceIsVatInclusive'];
  const stock = ['declaredStockQuantity', 'declaredInStock'];
  const names = [...fields.map(([name]) => name), ...more, ...stock];
  for (const name of names) expect((await patch(id, { [name]: null })).status).toBe(200);
  const all = Object.fromEntries(names.map((name) => [name, null]));
  expect((await patch(id, all)).status).toBe(200);
  expect(await recordOf(gateway, id)).toBe(before);
});

test.for(['', ' ', '\t\n', '\u2003'])(
  'the blank %j clears what may be blank',
  async (blank, { gateway }) => {
    const { create, patch } = await newBench(gateway);
    const id = await create({ said });
    const names = fields.map(([name]) => name).filter((name) => name !== 'rawSizeMl');
    const answer = await patch(id, Object.fromEntries(names.map((name) => [name, blank])));
    expect(answer.payload).toMatchObject({
      vendorExternalId: null,
      product: {
        vendorSku: null,
        rawBrandName: null,
        rawProductName: null,
        rawConcentration: null,
        rawDescription: null,
        rawSizeMl: 50,
        barcode: barcodes.first,
      },
    });
  },
);

test('a blank name is refused while the offer has no match, and clears it once it has one', async ({
  gateway,
}) => {
  const { offerIn, patch, decide } = await newBench(gateway);
  for (const status of ['Draft', 'PendingMatch'] as const) {
    const id = await offerIn(status, { isMatched: false });
    const before = await recordOf(gateway, id);
    const answer = await patch(id, { rawBrandName: ' ', rawProductName: '', vendorSku: 'S' });
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS' });
    expect(fieldErrorsOf(answer)).toEqual(['RawBrandName required', 'RawProductName required']);
    expect(await recordOf(gateway, id)).toBe(before);
  }
  const id = await offerIn('PendingMatch');
  await decide(id, 'approve', { variantId: (await newVariant(gateway)).id });
  expect((await patch(id, { rawBrandName: '', rawProductName: ' ' })).payload).toMatchObject({
    product: { rawBrandName: null, rawProductName: null },
  });
});

/** What a vendor sends back that takes the nested form for its own record. */
function roundTrip(payload: Readonly<Record<string, unknown>> | null): Record<string, unknown> {
  const { vendorExternalId, product, cost, price } = payload as {
    vendorExternalId: string | null;
    product: Record<string, unknown>;
    cost: { amount: number | null; isVatInclusive: boolean };
    price: { amount: number | null; isVatInclusive: boolean };
  };
  const { variantId: _, ...details } = product;
  return {
    ...details,
    vendorExternalId,
    cost: cost.amount,
    costIsVatInclusive: cost.amount === null ? null : cost.isVatInclusive,
    salePrice: price.amount,
    salePriceIsVatInclusive: price.amount === null ? null : price.isVatInclusive,
  };
}

const settled = offerStatuses.filter((status) => status !== 'PendingRepricing');

test.for(settled)(
  'what was read of a %s offer, sent back, changes nothing at all: no version, no time, no status',
  async (status, { gateway }) => {
    for (const agreement of [costPlus, percentageOfSale]) {
      for (const barcode of [barcodes.first, null]) {
        const { offerIn, patch, read } = await newBench(gateway, agreement);
        const id = await offerIn(status, { barcode, said });
        const before = [await recordOf(gateway, id), (await read(id)).text];
        const answer = await patch(id, roundTrip((await read(id)).payload));
        expect(answer.status).toBe(200);
        expect([await recordOf(gateway, id), answer.text]).toEqual(before);
      }
    }
  },
);

test('a price that was entered gross survives the round trip as entered, and so does a staged one', async ({
  gateway,
}) => {
  const { offerIn, patch, read } = await newBench(gateway);
  const id = await offerIn('Approved', { said: { cost: 1000, costIsVatInclusive: true } });
  await patch(id, { cost: 2000, costIsVatInclusive: true });
  const before = await recordOf(gateway, id);
  const { payload, text } = await read(id);
  expect(payload?.['cost']).toStrictEqual({
    amount: 869.57,
    isVatInclusive: false,
    enteredVatInclusive: true,
    inputVat: 130.43,
    pending: { amount: 1739.13, inputVat: 260.87 },
  });
  const answer = await patch(id, roundTrip(payload));
  expect(answer.text).toBe(text);
  expect(await recordOf(gateway, id)).toBe(before);
});

test('the older form sent back with what the flat form said changes nothing either', async ({
  gateway,
}) => {
  for (const status of ['PendingReview', 'Approved', 'Rejected'] as const) {
    const { offerIn, patch } = await newBench(gateway);
    const id = await offerIn(status, { barcode: null, said });
    const before = await recordOf(gateway, id);
    const body = { ...said, cost: 100, costIsVatInclusive: false, declaredInStock: true };
    const answer = await patch(id, body);
    expect(answer).toMatchObject({ status: 200, payload: { status } });
    expect(await recordOf(gateway, id)).toBe(before);
  }
});

test('gross amounts that share a net are told apart by their VAT', async ({ gateway }) => {
  const { create, patch } = await newBench(gateway);
  const id = await create({ said: { cost: 0.03, costIsVatInclusive: true } });
  const same = await patch(id, { cost: 0.03, costIsVatInclusive: true });
  expect(same.payload).toMatchObject({
    cost: { amount: 0.03, inputVat: 0, enteredVatInclusive: true },
  });
  expect(await rowOf(gateway, id)).toMatchObject({ version: 1 });
  const other = await patch(id, { cost: 0.04, costIsVatInclusive: true });
  expect(other.payload).toMatchObject({ cost: { amount: 0.03, inputVat: 0.01 } });
  expect(await rowOf(gateway, id)).toMatchObject({ version: 2 });
});

test('an offer never yet approved takes a price at once; one once approved stages it, also while it is in review', async ({
  gateway,
}) => {
  const { offerIn, patch } = await newBench(gateway);
  const body = { cost: 50, costIsVatInclusive: false };
  for (const status of ['Draft', 'PendingMatch', 'PendingReview', 'Withdrawn'] as const) {
    const answer = await patch(await offerIn(status), body);
    expect(answer.payload).toMatchObject({
      status,
      cost: { amount: 50, inputVat: 7.5, pending: null },
    });
  }
  const id = await offerIn('Approved');
  expect((await patch(id, { vendorSku: 'S' })).payload).toMatchObject({ status: 'PendingReview' });
  expect((await patch(id, body)).payload).toMatchObject({
    status: 'PendingReview',
    cost: { amount: 100, pending: { amount: 50, inputVat: 7.5 } },
  });
});

test('one staged price: a new one overwrites it, and the live one sent again leaves it as it is', async ({
  gateway,
}) => {
  const { offerIn, patch } = await newBench(gateway);
  const id = await offerIn('Approved');
  const stage = (cost: number) => patch(id, { cost, costIsVatInclusive: false });
  expect((await stage(50)).payload).toMatchObject({
    status: 'Approved',
    cost: { pending: { amount: 50 } },
  });
  expect((await stage(60)).payload).toMatchObject({
    cost: { amount: 100, pending: { amount: 60 } },
  });
  const before = await recordOf(gateway, id);
  expect((await stage(60)).payload).toMatchObject({ cost: { pending: { amount: 60 } } });
  expect((await stage(100)).payload).toMatchObject({
    cost: { amount: 100, pending: { amount: 60 } },
  });
  expect(await recordOf(gateway, id)).toBe(before);
  expect(await supplyOf(gateway, id)).toMatchObject({ net: 10_000, isPaused: false });
  expect(await rowOf(gateway, id)).toMatchObject({ awaitingSince: expect.any(Date) });
  expect(await messagesTo(gateway, id)).toBeGreaterThan(0);
});

const identityChanges: readonly (readonly [string, string | number])[] = [
  ...fields,
  ['barcode', barcodes.second],
];

test.for(identityChanges)(
  'changing %s of an Approved offer sends it to review, and it sells on',
  async ([name, value], { gateway }) => {
    const { offerIn, patch } = await newBench(gateway);
    const id = await offerIn('Approved', { said });
    const supply = await supplyOf(gateway, id);
    const answer = await patch(id, { [name]: value, cost: 90, costIsVatInclusive: false });
    expect(answer.payload).toMatchObject({
      status: 'PendingReview',
      cost: { amount: 100, pending: { amount: 90 } },
    });
    expect(await supplyOf(gateway, id)).toEqual(supply);
    expect(supply).toMatchObject({ isPaused: false, net: 10_000 });
  },
);

test('adding a first barcode is no identity change: an Approved offer stays Approved', async ({
  gateway,
}) => {
  const { offerIn, patch } = await newBench(gateway);
  const id = await offerIn('Approved', { barcode: null });
  const answer = await patch(id, { barcode: barcodes.second });
  expect(answer.payload).toMatchObject({
    status: 'Approved',
    product: { barcode: barcodes.second },
  });
  expect(await rowOf(gateway, id)).toMatchObject({ version: 3, awaitingSince: null });
  const other = await patch(id, { barcode: barcodes.third });
  expect(other.payload).toMatchObject({
    status: 'PendingReview',
    product: { barcode: barcodes.third },
  });
});

const unmoved: readonly OfferStatus[] = [
  'Draft',
  'PendingMatch',
  'PendingReview',
  'Withdrawn',
  'Suspended',
];

test.for(unmoved)(
  'no edit moves a %s offer, and every edit is stored',
  async (status, { gateway }) => {
    const { offerIn, patch } = await newBench(gateway);
    const id = await offerIn(status);
    const edits = [
      { vendorSku: 'S' },
      { barcode: barcodes.second },
      { cost: 5, costIsVatInclusive: true },
    ];
    for (const edit of edits) expect((await patch(id, edit)).payload).toMatchObject({ status });
    expect(await rowOf(gateway, id)).toMatchObject({ vendorSku: 'S', barcode: barcodes.second });
  },
);

test.for([
  [true, 'PendingReview'],
  [false, 'PendingMatch'],
] as const)(
  'every edit of a Rejected offer, match %s, resubmits it: %s',
  async ([isMatched, status], { gateway }) => {
    const { offerIn, patch, send } = await newBench(gateway);
    const edits = [
      { vendorSku: 'S' },
      { rawSizeMl: 10 },
      { barcode: barcodes.second },
      { cost: 5, costIsVatInclusive: true },
      { cost: 5, costIsVatInclusive: true, declaredInStock: true },
    ];
    for (const edit of edits) {
      const id = await offerIn('Rejected', { isMatched });
      const before = await messagesTo(gateway, id);
      expect((await patch(id, edit)).payload).toMatchObject({ status });
      expect(await rowOf(gateway, id)).toMatchObject({ status, awaitingSince: expect.any(Date) });
      expect(await messagesTo(gateway, id)).toBe(before + 1);
      const history = (await send('GET', `/${id}?include=history`)).payload?.['history'];
      expect(history).toMatchObject([
        {},
        { to: 'Rejected' },
        { from: 'Rejected', to: status, reason: null },
      ]);
    }
  },
);

test.for(['{}', '{"vendorSku":"SKU-1"}', '{"cost":100,"costIsVatInclusive":false}'])(
  '%s is no edit: a Rejected offer stays Rejected, and no barcode is asked for',
  async (body, { gateway }) => {
    const { offerIn, patch } = await newBench(gateway);
    const id = await offerIn('Rejected', { barcode: null, said });
    const before = await recordOf(gateway, id);
    expect(await patch(id, body)).toMatchObject({ status: 200, payload: { status: 'Rejected' } });
    expect(await recordOf(gateway, id)).toBe(before);
  },
);

test("PendingRepricing is left by the new model's price only, also by its value unchanged", async ({
  gateway,
}) => {
  const { offerIn, patch, switchAgreement, decide } = await newBench(gateway);
  const id = await offerIn('PendingRepricing');
  const stays = { payload: { status: 'PendingRepricing' } };
  for (const edit of [{}, { vendorSku: 'S' }, { rawSizeMl: 5 }, { barcode: barcodes.second }]) {
    expect(await patch(id, edit)).toMatchObject(stays);
  }
  const before = await recordOf(gateway, id);
  const refused = await patch(id, { cost: 5, costIsVatInclusive: true });
  expect(refused).toMatchObject(refusal(wrongPrice, { field: 'Cost' }));
  expect(await recordOf(gateway, id)).toBe(before);
  const sent = await patch(id, { salePrice: 300, salePriceIsVatInclusive: false });
  expect(sent.payload).toMatchObject({ status: 'PendingReview', pricingModel: { model: 2 } });
  expect(await supplyOf(gateway, id)).toMatchObject({ isPaused: true, net: 10_000 });
  await decide(id, 'approve');
  expect(await supplyOf(gateway, id)).toMatchObject({ isPaused: false, net: 30_000 });

  await switchAgreement(costPlus);
  const same = await patch(id, { cost: 100, costIsVatInclusive: false });
  expect(same.payload).toMatchObject({
    status: 'PendingReview',
    cost: { amount: 100, pending: null },
  });
});

test('an offer of another vendor, an unknown id, one entered by hand or imported, and no uuid at all are the same 404', async ({
  gateway,
}) => {
  const { create, patch, vendor, operator } = await newBench(gateway);
  const other = await newBench(gateway);
  const manual = await call(gateway, 'POST', `/operator/v1/vendors/${vendor.vendorId}/offers`, {
    token: operator.token,
    body: { ...freeFormOffer, barcode: barcodes.first },
  });
  const manualId = textOf(manual, 'id');
  const imported = await create();
  await gateway.sql`update offers set source = 'Import' where id = ${imported}`;
  const foreign = await other.create();
  const kept = [manualId, imported, foreign];
  const before = await Promise.all(kept.map((id) => recordOf(gateway, id)));
  const bodies = [
    {},
    { vendorSku: 'S' },
    { cost: 1, costIsVatInclusive: true, declaredInStock: true },
  ];
  for (const id of [
    ...kept,
    unknownId(),
    '1',
    'x'.repeat(300),
    `${foreign}x`,
    '%00',
    '%2e%2e%2f',
  ]) {
    for (const body of [...bodies, { salePrice: 1, salePriceIsVatInclusive: true }]) {
      expect(await patch(id, body), id).toMatchObject(notFound);
    }
  }
  expect(await Promise.all(kept.map((id) => recordOf(gateway, id)))).toEqual(before);
});

test('an id in capital letters is the same offer', async ({ gateway }) => {
  const { create, patch } = await newBench(gateway);
  const id = await create();
  expect((await patch(id.toUpperCase(), { vendorSku: 'S' })).payload).toMatchObject({ id });
});

test("the other model's price is 422 in either form, and nothing of the body is stored", async ({
  gateway,
}) => {
  const one = await newBench(gateway);
  const two = await newBench(gateway, percentageOfSale);
  const [costOffer, saleOffer] = [await one.create(), await two.create()];
  const before = [await recordOf(gateway, costOffer), await recordOf(gateway, saleOffer)];
  const sale = { salePrice: 5, salePriceIsVatInclusive: true, vendorSku: 'S' };
  const cost = { cost: 5, costIsVatInclusive: true, vendorSku: 'S' };
  const both = { ...sale, ...cost };
  expect(await one.patch(costOffer, sale)).toMatchObject(
    refusal(wrongPrice, { field: 'SalePrice' }),
  );
  expect(await one.patch(costOffer, both)).toMatchObject(
    refusal(wrongPrice, { field: 'SalePrice' }),
  );
  expect(await two.patch(saleOffer, cost)).toMatchObject(refusal(wrongPrice, { field: 'Cost' }));
  expect(await two.patch(saleOffer, both)).toMatchObject(refusal(wrongPrice, { field: 'Cost' }));
  const older = { ...cost, declaredInStock: true };
  expect(await two.patch(saleOffer, older)).toMatchObject(refusal(wrongPrice, { field: 'Cost' }));
  // The stored values, too: it is the field that is wrong.
  const stored = { cost: 100, costIsVatInclusive: false };
  expect(await two.patch(saleOffer, stored)).toMatchObject(refusal(wrongPrice, { field: 'Cost' }));
  expect([await recordOf(gateway, costOffer), await recordOf(gateway, saleOffer)]).toEqual(before);
});

test("a vendorExternalId that another offer holds is refused by name; its own one and another vendor's are not", async ({
  gateway,
}) => {
  const { create, patch } = await newBench(gateway);
  const other = await newBench(gateway);
  await create({ said: { vendorExternalId: 'taken' } });
  await other.create({ said: { vendorExternalId: 'theirs' } });
  const id = await create({ said: { vendorExternalId: 'own' } });
  const before = await recordOf(gateway, id);
  for (const more of [{}, { cost: 5, costIsVatInclusive: false, declaredInStock: true }]) {
    const answer = await patch(id, { vendorExternalId: 'taken', vendorSku: 'S', ...more });
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
    expect(answer.details['errors']).toMatchObject([
      { field: 'VendorExternalId', path: '/vendorExternalId', code: 'taken' },
    ]);
  }
  expect(await recordOf(gateway, id)).toBe(before);
  expect((await patch(id, { vendorExternalId: 'own' })).status).toBe(200);
  expect((await patch(id, { vendorExternalId: 'theirs' })).status).toBe(200);
});

test('of two offers that are given one vendorExternalId at once, one gets it', async ({
  gateway,
}) => {
  const { create, patch } = await newBench(gateway);
  for (let round = 0; round < 10; round += 1) {
    const ids = [await create(), await create()];
    const answers = await Promise.all(
      ids.map((id) => patch(id, { vendorExternalId: `race-${round}` })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  }
});

test("the idempotency key is the offer's current vendorExternalId", async ({ gateway }) => {
  const { create, patch, send } = await newBench(gateway);
  const id = await create({ said: { vendorExternalId: 'before' } });
  await patch(id, { vendorExternalId: 'after' });
  const replay = await send('POST', '', { ...freeFormOffer, vendorExternalId: 'after' });
  expect(replay).toMatchObject({ status: 200, payload: { id, version: 2 } });
  const fresh = await send('POST', '', { ...freeFormOffer, vendorExternalId: 'before' });
  expect(fresh.status).toBe(201);
  await patch(id, { vendorExternalId: '' });
  expect((await send('POST', '', { ...freeFormOffer, vendorExternalId: 'after' })).status).toBe(
    201,
  );
});

test.for(fields)(
  'without a barcode %s is not changed: 400 on Barcode, unless it comes along',
  async ([name, value], { gateway }) => {
    for (const status of offerStatuses) {
      const { offerIn, patch } = await newBench(gateway);
      const id = await offerIn(status, { barcode: null, said });
      const before = await recordOf(gateway, id);
      const answer = await patch(id, { [name]: value });
      expect(answer, status).toMatchObject({
        status: 400,
        state: 'VALIDATION_ERRORS',
        payload: null,
      });
      expect(answer.details['errors']).toMatchObject([
        { field: 'Barcode', path: '/barcode', code: 'required' },
      ]);
      expect(await recordOf(gateway, id)).toBe(before);
      expect((await patch(id, { [name]: value, barcode: barcodes.first })).status).toBe(200);
    }
  },
);

test('without a barcode a price is changed, except where that resubmits: Rejected and PendingRepricing', async ({
  gateway,
}) => {
  const { offerIn, patch } = await newBench(gateway);
  const body = { cost: 5, costIsVatInclusive: false };
  const others = settled.filter((status) => status !== 'Rejected');
  for (const status of others) {
    expect((await patch(await offerIn(status, { barcode: null }), body)).status).toBe(200);
  }
  const price = { salePrice: 5, salePriceIsVatInclusive: false };
  const rejected = await offerIn('Rejected', { barcode: null });
  const older = { ...body, cost: 100, declaredInStock: true };
  const repriced = await newBench(gateway);
  const steps = [
    [await repriced.offerIn('PendingRepricing', { barcode: null }), price, repriced.patch],
    [rejected, body, patch],
    [rejected, older, patch],
  ] as const;
  for (const [id, edit, send] of steps) {
    const before = await recordOf(gateway, id);
    const refused = await send(id, edit);
    expect(refused).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS' });
    expect(fieldErrorsOf(refused)).toEqual(['Barcode required']);
    expect(await recordOf(gateway, id)).toBe(before);
  }
  const [repricedId] = steps[0];
  const mended = await repriced.patch(repricedId, { ...price, barcode: barcodes.first });
  expect(mended.payload).toMatchObject({
    status: 'PendingReview',
    price: { pending: { amount: 5 } },
  });
  const added = await patch(rejected, { barcode: barcodes.first });
  expect(added.payload).toMatchObject({ status: 'PendingReview' });
});

test('Model 2 before its barcode: the price comes through by PATCH as under Model 1', async ({
  gateway,
}) => {
  const { offerIn, patch } = await newBench(gateway, percentageOfSale);
  const body = { salePrice: 5, salePriceIsVatInclusive: false };
  expect((await patch(await offerIn('Approved', { barcode: null }), body)).payload).toMatchObject({
    status: 'Approved',
    price: { amount: 200, pending: { amount: 5, vat: 0.75 } },
  });
});

test.for<[Record<string, unknown>, number | null, boolean]>([
  [{ declaredInStock: false }, 0, false],
  [{ declaredInStock: false, declaredStockQuantity: 0 }, 0, false],
  [{ declaredStockQuantity: 0 }, 0, false],
  [{ declaredStockQuantity: 9 }, 9, true],
  [{ declaredInStock: true, declaredStockQuantity: 9 }, 9, true],
  [{ declaredInStock: true }, 7, true],
] as const)(
  'the older form applies stock %j at once: %s, in stock %s',
  async ([stock, quantity, inStock], { gateway }) => {
    const { offerIn, patch } = await newBench(gateway);
    const id = await offerIn('Approved', { said });
    const answer = await patch(id, { cost: 100, costIsVatInclusive: false, ...stock });
    expect(answer.payload).toMatchObject({
      status: 'Approved',
      declaredStockQuantity: quantity,
      declaredInStock: inStock,
      pendingCost: null,
    });
    expect(await supplyOf(gateway, id)).toMatchObject({ stockQuantity: quantity, inStock });
  },
);

test('no body at all is an empty one: nothing changes', async ({ gateway }) => {
  const { create, vendor } = await newBench(gateway);
  const id = await create();
  const before = await recordOf(gateway, id);
  for (const headers of [{}, { 'content-type': 'application/json' }]) {
    const { token } = vendor;
    const answer = await call(gateway, 'PATCH', `/api/v1/scent/offers/${id}`, { token, headers });
    expect(answer).toMatchObject({ status: 200, payload: { id } });
  }
  expect(await recordOf(gateway, id)).toBe(before);
});

test('shape is told before the offer, the offer before its agreement, the agreement before the barcode', async ({
  gateway,
}) => {
  const { offerIn, patch } = await newBench(gateway);
  const id = await offerIn('Rejected', { barcode: null });
  const price = { salePrice: 5, salePriceIsVatInclusive: true };
  expect((await patch(unknownId(), { salePrice: 5 })).state).toBe('VALIDATION_ERRORS');
  expect((await patch(unknownId(), price)).state).toBe('NOT_FOUND_VENDOR_OFFER');
  expect((await patch(id, { ...price, vendorSku: 'S' })).state).toBe(wrongPrice);
});

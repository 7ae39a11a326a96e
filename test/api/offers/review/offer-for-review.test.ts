import { expect } from 'vitest';
import {
  newOperator,
  newVariant,
  newVendor,
  percentageOfSale,
} from '../../../support/api/actors.ts';
import { call } from '../../../support/api/api.ts';
import { workflowOf } from '../../../support/api/matchers.ts';
import { newNestedOffer } from '../nested-offer.ts';
import { reviewTest as test } from './review-fixture.ts';

const barcode = '4006381333931';
const anInstant: unknown = expect.stringMatching(/Z$/);

test('shows an offer in the nested form, with what a reviewer needs', async ({ desk }) => {
  const { vendorId } = desk.vendor;
  const given = { vendorExternalId: 'k', declaredStockQuantity: 2, costIsVatInclusive: true };
  const id = await desk.submit(given);
  const plain = newNestedOffer(id);
  expect(await desk.read(id.toUpperCase())).toStrictEqual({
    ...plain,
    vendorExternalId: 'k',
    cost: { ...plain.cost, amount: 86.96, enteredVatInclusive: true, inputVat: 13.04 },
    stock: { declaredQuantity: 2, declaredInStock: true },
    vendorId,
    source: 'Api',
    version: 1,
    reviewVersion: 1,
    awaitingDecision: true,
    awaitingSince: anInstant,
    supplyOptionId: null,
    supply: null,
    kind: 'Match',
    isOverTarget: false,
    flags: ['NoBarcode'],
    vendor: expect.objectContaining({ id: vendorId, isActive: true }),
    variant: null,
    pricing: { live: expect.objectContaining({ amount: 100 }), staged: null, changePercent: null },
    otherOffers: [],
    duplicates: [],
    approvedBefore: null,
    history: { decisions: [], statusChanges: [expect.objectContaining({ to: 'PendingMatch' })] },
    undo: null,
    viewers: [],
    createdAt: anInstant,
    changedAt: anInstant,
    workflow: workflowOf(`offer-review/${id}`),
  });
});

test('shows the variant of a matched offer, prices with margin, and other live offers', async ({
  desk,
}) => {
  const variant = await newVariant(desk, { barcode });
  const given = { variantId: variant.id, barcode, cost: 115, costIsVatInclusive: true };
  const id = await desk.submit(given);
  const others = [];
  for (const cost of [90, 80]) {
    const other = await newVendor(desk);
    const offerId = await desk.submit({ ...given, cost, costIsVatInclusive: false }, other);
    await desk.decide(offerId, 'approve');
    const { vendorId } = other;
    const shown = { net: cost, sellPrice: cost * 1.2, inStock: false };
    others.unshift({ offerId, vendorId, vendorName: 'Vendor', ...shown });
  }
  const costs = { amount: 115, isVatInclusive: true, net: 100, vat: 15 };
  const margin = {
    sellPrice: 120,
    customerPrice: 138,
    payoutPrice: 100,
    margin: 20,
    marginPercent: 16.67,
  };
  expect(await desk.read(id)).toMatchObject({
    kind: 'Review',
    flags: [],
    vendor: { name: 'Vendor', agreement: { pricingModel: 'CostPlusMargin', markupPercent: 20 } },
    variant,
    pricing: { live: { ...costs, ...margin }, staged: null, changePercent: null },
    otherOffers: others,
  });
});

test('names the offers that an offer is a duplicate of, and what they share', async ({ desk }) => {
  const shared = { barcode, vendorSku: 'SKU-D' };
  const bySku = await desk.submit({ vendorSku: 'SKU-D', vendorExternalId: 'first' });
  const both = await desk.submit(shared);
  await desk.decide(await desk.submit(shared), 'reject', { reason: 'It is the same again.' });
  await desk.submit(shared, await newVendor(desk));
  const id = await desk.submit(shared);
  const named = { status: 'PendingMatch', vendorSku: 'SKU-D', net: 100 };
  expect(await desk.read(id)).toMatchObject({
    flags: ['DuplicateOfVendor'],
    duplicates: [
      { ...named, offerId: both, vendorExternalId: null, shares: ['barcode', 'vendorSku'] },
      { ...named, offerId: bySku, vendorExternalId: 'first', shares: ['vendorSku'] },
    ],
  });
});

test('shows what was approved of an edited offer, and the fields that differ (D135)', async ({
  desk,
}) => {
  const { operatorId } = desk.reviewer;
  const variant = await newVariant(desk, { barcode });
  const id = await desk.submit({ variantId: variant.id, barcode, vendorSku: 'OLD' });
  await desk.decide(id, 'approve');
  expect(await desk.read(id)).toMatchObject({ kind: null, approvedBefore: { differs: [] } });
  await desk.edit(id, { cost: 150, costIsVatInclusive: false });
  expect(await desk.read(id)).toMatchObject({
    kind: 'StagedPrice',
    flags: ['LargePriceChange'],
    pricing: { live: { net: 100 }, staged: { net: 150, margin: 30 }, changePercent: 50 },
    approvedBefore: { differs: ['price'] },
  });
  await desk.decide(id, 'pending-price/apply', { reason: 'Agreed.' });
  // Another text of the same GTIN is no difference.
  await desk.edit(id, { rawBrandName: 'New', barcode: `0${barcode}` });
  expect(await desk.read(id)).toMatchObject({
    kind: 'IdentityEdit',
    flags: ['IdentityEdited'],
    approvedBefore: {
      operatorId,
      product: { variantId: variant.id, vendorSku: 'OLD', barcode, rawBrandName: 'Brand' },
      variant,
      price: { net: 150, margin: 30 },
      differs: ['rawBrandName'],
    },
    history: {
      decisions: [
        { operatorId, action: 'offer.applyPrice', reason: 'Agreed.' },
        { operatorId, action: 'offer.approve', status: 'Approved' },
      ],
      statusChanges: [
        { to: 'PendingReview' },
        { to: 'Approved' },
        { from: 'Approved', to: 'PendingReview' },
      ],
    },
  });
  const url = `/api/v1/scent/offers/${id}?include=history`;
  const seen = await call(desk, 'GET', url, { token: desk.vendor.token });
  expect(seen.status).toBe(200);
  for (const hidden of ['approvedBefore', 'flags', 'margin', operatorId])
    expect(seen.text).not.toContain(hidden);
});

test('shows who rejected an offer that comes back, and why', async ({ desk }) => {
  const id = await desk.submit({ barcode });
  await desk.decide(id, 'reject', { reason: 'No size.' });
  await desk.edit(id, { rawSizeMl: 50 });
  const { operatorId } = desk.reviewer;
  const decisions = [{ operatorId, action: 'offer.reject', reason: 'No size.' }];
  expect(await desk.read(id)).toMatchObject({ kind: 'Match', history: { decisions } });
});

test('flags what a reviewer should know, while the offer waits (D136)', async ({ desk }) => {
  const flagsOf = async (id: string) => (await desk.read(id))?.['flags'];
  const { id: variantId } = await newVariant(desk, { barcode: '96385074' });
  const differs = await desk.submit({ variantId, barcode });
  expect(await flagsOf(differs)).toEqual(['BarcodeDiffers']);
  const bare = await desk.submit({ vendorSku: 'S-1' });
  expect(await flagsOf(bare)).toEqual(['NoBarcode']);
  for (const same of [{ barcode: `0${barcode}` }, { variantId }, { vendorSku: 'S-1' }])
    expect(await flagsOf(await desk.submit(same)), JSON.stringify(same)).toContain(
      'DuplicateOfVendor',
    );
  // Another vendor's offer is no duplicate, nor is a rejected or withdrawn one.
  const rival = await newVendor(desk);
  const first = await desk.submit({ barcode }, rival);
  expect(await flagsOf(first)).toEqual([]);
  const second = await desk.submit({ barcode }, rival);
  expect(await flagsOf(second)).toEqual(['DuplicateOfVendor']);
  await call(desk, 'POST', `/api/v1/scent/offers/${first}/withdraw`, { token: rival.token });
  expect(await flagsOf(second)).toEqual([]);
  await desk.decide(bare, 'reject', { reason: 'No.' });
  expect(await flagsOf(bare)).toEqual([]);
  const ofSale = await newVendor(desk, { agreement: percentageOfSale });
  expect(await flagsOf(await desk.submit({ barcode }, ofSale))).toEqual(['PriceMissing']);
});

const viewersAre = (...operatorIds: readonly string[]) => ({
  viewers: operatorIds.map((operatorId) => ({ operatorId })),
});

test('shows who else reads the offer, until they read another one (D157)', async ({ desk }) => {
  const [id, other] = [await desk.submit(), await desk.submit()];
  const second = await newOperator(desk, ['Reviewer']);
  const readBySecond = async (offerId: string) =>
    (await call(desk, 'GET', `/operator/v1/offers/${offerId}`, second)).payload;
  expect(await desk.read(id)).toMatchObject(viewersAre());
  expect(await readBySecond(id)).toMatchObject(viewersAre(desk.reviewer.operatorId));
  expect(await desk.read(id)).toMatchObject(viewersAre(second.operatorId));
  const both = [desk.reviewer.operatorId, second.operatorId].map((operatorId) => ({
    operatorId,
    at: anInstant,
  }));
  const listed = await desk.list({ q: 'Product' });
  expect(listed.payload).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ id, viewers: both })]),
  });
  await readBySecond(other);
  expect(await desk.read(id)).toMatchObject(viewersAre());
  await readBySecond(id);
  await desk.sql`update operator_looks set looked_at = looked_at - interval '5 minutes'`;
  expect(await desk.read(id)).toMatchObject(viewersAre());
});

test('reads who else has the offer open without noting the reader, on request', async ({
  desk,
}) => {
  const [id, other] = [await desk.submit(), await desk.submit()];
  const second = await newOperator(desk, ['Reviewer']);
  const look = async (offerId: string) =>
    (await call(desk, 'GET', `/operator/v1/offers/${offerId}?opens=false`, second)).payload;
  await desk.read(id);
  expect(await look(id)).toMatchObject(viewersAre(desk.reviewer.operatorId));
  expect(await desk.read(id)).toMatchObject(viewersAre());
  await call(desk, 'GET', `/operator/v1/offers/${other}`, second);
  expect(await look(id)).toMatchObject(viewersAre(desk.reviewer.operatorId));
  expect(await look(other)).toMatchObject(viewersAre());
  expect(await desk.read(other)).toMatchObject(viewersAre(second.operatorId));
});

test('says who decided what before a decision that is refused (D161)', async ({ desk }) => {
  const id = await desk.submit();
  const second = await newOperator(desk, ['Reviewer']);
  const send = (path: string, body: object, by: { readonly token: string } = desk.reviewer) =>
    call(desk, 'POST', `/operator/v1/offers/${id}/${path}`, { token: by.token, body });
  const expectedVersion = 1;
  expect((await send('undo', { expectedVersion })).details).not.toHaveProperty('decidedBy');
  await send('reject', { reason: 'No.' }, second);
  const first = { decidedBy: second.operatorId, decision: 'offer.reject', at: anInstant };
  for (const [path, body] of [
    ['approve', { expectedVersion }],
    ['reject', { reason: 'No.' }],
    ['reject', { reason: 'No.', expectedVersion: 9 }],
    ['pending-price/apply', { expectedVersion }],
  ] as const)
    expect(await send(path, body)).toMatchObject({ details: first });
  for (const path of ['suspend', 'reinstate'])
    for (const more of [{}, { expectedVersion: 9 }])
      expect(await send(path, { reason: 'No.', ...more })).toMatchObject({ details: first });
});

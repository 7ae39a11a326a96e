import { expect } from 'vitest';
import { newOperator, newVariant, newVendor } from '../../../support/api/actors.ts';
import { call, type Gateway } from '../../../support/api/api.ts';
import { decide, reviewTest, submit } from './review-fixture.ts';

const test = reviewTest.extend('read', { scope: 'file' }, async ({ gateway, reviewer }) => {
  return async (id: string) =>
    (await call(gateway, 'GET', `/operator/v1/offers/${id}`, { token: reviewer.token })).payload;
});

/** An update of an offer by its vendor. */
const edit = (gateway: Gateway, token: string, id: string, body: Record<string, unknown>) =>
  call(gateway, 'PATCH', `/api/v1/scent/offers/${id}`, { token, body });

const barcode = '4006381333931';

test('an offer shows its vendor, variant, prices with margin, and other live offers', async ({
  gateway,
  reviewer,
  vendor,
  read,
}) => {
  const variant = await newVariant(gateway, { barcode });
  const given = { variantId: variant.id, barcode, cost: 115, costIsVatInclusive: true };
  const id = await submit(gateway, vendor, given);
  const others = [];
  for (const cost of [90, 80]) {
    const other = await newVendor(gateway);
    const offerId = await submit(gateway, other, { ...given, cost, costIsVatInclusive: false });
    expect(await decide(gateway, reviewer, offerId, 'approve', {})).toMatchObject({ status: 200 });
    others.unshift({
      offerId,
      vendorId: other.vendorId,
      vendorName: 'Vendor',
      net: cost,
      sellPrice: cost * 1.2,
      inStock: false,
    });
  }
  expect(await read(id)).toMatchObject({
    kind: 'Review',
    flags: [],
    vendor: {
      id: vendor.vendorId,
      name: 'Vendor',
      agreement: { pricingModel: 'CostPlusMargin', markupPercent: 20 },
    },
    variant,
    pricing: {
      live: {
        amount: 115,
        isVatInclusive: true,
        net: 100,
        vat: 15,
        sellPrice: 120,
        payoutPrice: 100,
        margin: 20,
        marginPercent: 16.67,
      },
      staged: null,
      changePercent: null,
    },
    otherOffers: others,
    approvedBefore: null,
    history: { decisions: [], statusChanges: [{ from: null, to: 'PendingReview' }] },
    workflow: { workflowId: `offer-review/${id}` },
  });
});

test('an edited offer shows what was approved, and the fields that differ (D135)', async ({
  gateway,
  reviewer,
  vendor,
  read,
}) => {
  const variant = await newVariant(gateway, { barcode });
  const id = await submit(gateway, vendor, { variantId: variant.id, barcode, vendorSku: 'OLD' });
  await decide(gateway, reviewer, id, 'approve', {});
  expect(await read(id)).toMatchObject({ kind: null, approvedBefore: { differs: [] } });
  await edit(gateway, vendor.token, id, { cost: 150, costIsVatInclusive: false });
  expect(await read(id)).toMatchObject({
    kind: 'StagedPrice',
    flags: ['LargePriceChange'],
    pricing: { live: { net: 100 }, staged: { net: 150, margin: 30 }, changePercent: 50 },
    approvedBefore: { differs: ['price'] },
  });
  const applied = `/operator/v1/offers/${id}/pending-price/apply`;
  const body = { expectedVersion: (await read(id))?.['reviewVersion'], reason: 'Agreed.' };
  await call(gateway, 'POST', applied, { token: reviewer.token, body });
  // Another text of the same GTIN is no difference.
  await edit(gateway, vendor.token, id, { rawBrandName: 'New', barcode: `0${barcode}` });
  const after = await read(id);
  expect(after).toMatchObject({
    kind: 'IdentityEdit',
    flags: ['IdentityEdited'],
    approvedBefore: {
      operatorId: reviewer.operatorId,
      product: { variantId: variant.id, vendorSku: 'OLD', barcode, rawBrandName: 'Brand' },
      variant,
      price: { net: 150, margin: 30 },
      differs: ['rawBrandName'],
    },
    history: {
      decisions: [
        { operatorId: reviewer.operatorId, action: 'offer.applyPrice', reason: 'Agreed.' },
        { operatorId: reviewer.operatorId, action: 'offer.approve', status: 'Approved' },
      ],
      statusChanges: [
        { to: 'PendingReview' },
        { to: 'Approved' },
        { from: 'Approved', to: 'PendingReview' },
      ],
    },
  });
  const seen = await call(gateway, 'GET', `/api/v1/scent/offers/${id}?include=history`, {
    token: vendor.token,
  });
  expect(seen.status).toBe(200);
  for (const hidden of ['approvedBefore', 'flags', 'margin', reviewer.operatorId])
    expect(seen.text).not.toContain(hidden);
});

test('a rejected offer that comes back shows who rejected it and why', async ({
  gateway,
  reviewer,
  vendor,
  read,
}) => {
  const id = await submit(gateway, vendor, { barcode });
  await decide(gateway, reviewer, id, 'reject', { reason: 'No size.' });
  await edit(gateway, vendor.token, id, { rawSizeMl: 50 });
  expect(await read(id)).toMatchObject({
    kind: 'Match',
    history: {
      decisions: [{ operatorId: reviewer.operatorId, action: 'offer.reject', reason: 'No size.' }],
    },
  });
});

test('flags warn of what a reviewer should know, while the offer waits (D136)', async ({
  gateway,
  reviewer,
  vendor,
  read,
}) => {
  const flagsOf = async (id: string) => (await read(id))?.['flags'];
  const other = await newVariant(gateway, { barcode: '96385074' });
  const differs = await submit(gateway, vendor, { variantId: other.id, barcode });
  expect(await flagsOf(differs)).toEqual(['BarcodeDiffers']);
  const bare = await submit(gateway, vendor, { vendorSku: 'S-1' });
  expect(await flagsOf(bare)).toEqual(['NoBarcode']);
  for (const same of [{ barcode: `0${barcode}` }, { variantId: other.id }, { vendorSku: 'S-1' }])
    expect(await flagsOf(await submit(gateway, vendor, same)), JSON.stringify(same)).toContain(
      'DuplicateOfVendor',
    );
  // Another vendor's offer is none.
  const rival = await newVendor(gateway);
  expect(await flagsOf(await submit(gateway, rival, { barcode }))).toEqual([]);
  await decide(gateway, reviewer, bare, 'reject', { reason: 'No.' });
  expect(await flagsOf(bare)).toEqual([]);
  const ofSale = await newVendor(gateway, {
    agreement: { pricingModel: 'PercentageOfSale', rateBasisPoints: 1500 },
  });
  expect(await flagsOf(await submit(gateway, ofSale, { barcode }))).toEqual(['PriceMissing']);
});

test('a withdrawn or rejected offer makes no duplicate', async ({ gateway, vendor, read }) => {
  const first = await submit(gateway, vendor, { barcode });
  const second = await submit(gateway, vendor, { barcode });
  expect((await read(second))?.['flags']).toEqual(['DuplicateOfVendor']);
  await call(gateway, 'POST', `/api/v1/scent/offers/${first}/withdraw`, { token: vendor.token });
  expect((await read(second))?.['flags']).toEqual([]);
});

test('shows who else reads the offer, until they read another one (D157)', async ({
  gateway,
  reviewer,
  vendor,
  read,
}) => {
  const [id, other] = [await submit(gateway, vendor, {}), await submit(gateway, vendor, {})];
  const second = await newOperator(gateway, ['Reviewer']);
  const readBySecond = (offerId: string) =>
    call(gateway, 'GET', `/operator/v1/offers/${offerId}`, second);
  expect(await read(id)).toMatchObject({ viewers: [] });
  expect((await readBySecond(id)).payload).toMatchObject({
    viewers: [{ operatorId: reviewer.operatorId }],
  });
  expect(await read(id)).toMatchObject({ viewers: [{ operatorId: second.operatorId }] });
  await readBySecond(other);
  expect(await read(id)).toMatchObject({ viewers: [] });
  await readBySecond(id);
  await gateway.sql`update operator_looks set looked_at = looked_at - interval '5 minutes'`;
  expect(await read(id)).toMatchObject({ viewers: [] });
});

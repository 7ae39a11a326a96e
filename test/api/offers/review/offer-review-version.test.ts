import { expect } from 'vitest';
import { newVariant, percentageOfSale } from '../../support/actors.ts';
import { call, refusal, type Gateway } from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import {
  barcodes,
  newOfferFixture,
  recordOf,
  supplyOf,
  type OfferFixture,
} from '../offer-fixture.ts';

// D83: a reviewer decides on what was read, or not at all.

const reviewVersion = async (
  gateway: Gateway,
  { operator }: OfferFixture,
  id: string,
): Promise<number> => {
  const url = `/operator/v1/offers/${id}`;
  return Number((await call(gateway, 'GET', url, operator)).payload?.['reviewVersion']);
};
const decide = (
  gateway: Gateway,
  { operator }: OfferFixture,
  id: string,
  action: string,
  body: unknown,
) => call(gateway, 'POST', `/operator/v1/offers/${id}/${action}`, { token: operator.token, body });

test.for<readonly [string, (fixture: OfferFixture, id: string) => Promise<unknown>]>([
  ['vendorSku', ({ patch }, id) => patch(id, { vendorSku: 'NEW' })],
  ['vendorExternalId', ({ patch }, id) => patch(id, { vendorExternalId: 'NEW' })],
  ['rawBrandName', ({ patch }, id) => patch(id, { rawBrandName: 'New' })],
  ['rawProductName', ({ patch }, id) => patch(id, { rawProductName: 'New' })],
  ['rawConcentration', ({ patch }, id) => patch(id, { rawConcentration: 'New' })],
  ['rawDescription', ({ patch }, id) => patch(id, { rawDescription: 'New' })],
  ['rawSizeMl', ({ patch }, id) => patch(id, { rawSizeMl: 7 })],
  ['the barcode', ({ patch }, id) => patch(id, { barcode: barcodes.second })],
  ['the live price', ({ patch }, id) => patch(id, { cost: 5, costIsVatInclusive: false })],
  [
    'the VAT of the live price',
    ({ patch }, id) => patch(id, { cost: 0.03, costIsVatInclusive: true }),
  ],
  ['the pricing model', ({ switchAgreement }) => switchAgreement(percentageOfSale)],
  [
    'the percentage',
    ({ switchAgreement }) =>
      switchAgreement({ pricingModel: 'CostPlusMargin', rateBasisPoints: 4321 }),
  ],
])(
  'D83: a change of %s refuses an approval of what was read before',
  async ([, change], { gateway }) => {
    const fixture = await newOfferFixture(gateway);
    const id = await fixture.create();
    const expectedVersion = await reviewVersion(gateway, fixture, id);
    await change(fixture, id);
    const now = await reviewVersion(gateway, fixture, id);
    expect(now).toBeGreaterThan(expectedVersion);
    const before = await recordOf(gateway, id);
    for (const action of ['approve', 'pending-price/apply', 'pending-price/discard']) {
      expect(await decide(gateway, fixture, id, action, { expectedVersion })).toMatchObject(
        refusal('CONFLICT_VERSION', { expectedVersion, reviewVersion: now }),
      );
    }
    const rejection = { reason: 'No.', expectedVersion };
    expect((await decide(gateway, fixture, id, 'reject', rejection)).state).toBe(
      'CONFLICT_VERSION',
    );
    expect(await recordOf(gateway, id)).toBe(before);
  },
);

test('D83: a first barcode counts, and so does the match of another reviewer', async ({
  gateway,
}) => {
  const fixture = await newOfferFixture(gateway);
  const id = await fixture.create({ isMatched: false, barcode: null });
  const first = await reviewVersion(gateway, fixture, id);
  await fixture.patch(id, { barcode: barcodes.first });
  const second = await reviewVersion(gateway, fixture, id);
  await fixture.decide(id, 'approve', { variantId: (await newVariant(gateway)).id });
  const third = await reviewVersion(gateway, fixture, id);
  expect([second - first, third - second]).toEqual([1, 1]);
});

test('D83: stock by push or by the older form does not count, nor does a vendor’s move', async ({
  gateway,
}) => {
  const fixture = await newOfferFixture(gateway);
  const id = await fixture.create();
  const expectedVersion = await reviewVersion(gateway, fixture, id);
  await fixture.send('PATCH', `/${id}/stock`, { declaredInStock: true, declaredStockQuantity: 5 });
  await fixture.patch(id, { cost: 100, costIsVatInclusive: false, declaredStockQuantity: 9 });
  await fixture.send('POST', `/${id}/withdraw`);
  await fixture.send('POST', `/${id}/submit`);
  expect(await reviewVersion(gateway, fixture, id)).toBe(expectedVersion);
  expect(await decide(gateway, fixture, id, 'approve', { expectedVersion })).toMatchObject({
    status: 200,
    payload: { status: 'Approved' },
  });
});

test('D83: a staged price that replaces the one that was read is not applied', async ({
  gateway,
}) => {
  const fixture = await newOfferFixture(gateway);
  const id = await fixture.offerIn('Approved');
  await fixture.patch(id, { cost: 110, costIsVatInclusive: false });
  const expectedVersion = await reviewVersion(gateway, fixture, id);
  await fixture.patch(id, { cost: 990, costIsVatInclusive: false });
  expect(
    await decide(gateway, fixture, id, 'pending-price/apply', { expectedVersion }),
  ).toMatchObject({
    status: 409,
    details: { expectedVersion, reviewVersion: expectedVersion + 1 },
  });
  expect((await fixture.read(id)).payload).toMatchObject({
    cost: { amount: 100, pending: { amount: 990 } },
  });
});

test('D83: 409 comes before any 422, also if no price is staged', async ({ gateway }) => {
  const fixture = await newOfferFixture(gateway);
  const id = await fixture.offerIn('Approved');
  const expectedVersion = 1 + (await reviewVersion(gateway, fixture, id));
  for (const action of ['approve', 'pending-price/apply', 'pending-price/discard']) {
    expect((await decide(gateway, fixture, id, action, { expectedVersion })).state).toBe(
      'CONFLICT_VERSION',
    );
  }
});

test('D83: an edit during an approval sells nothing that the reviewer has not read', async ({
  gateway,
}) => {
  const fixture = await newOfferFixture(gateway);
  for (let round = 0; round < 15; round += 1) {
    const id = await fixture.create();
    const edit = { cost: 5000 + round, costIsVatInclusive: false };
    const [approved, edited] = await Promise.all([
      decide(gateway, fixture, id, 'approve', { expectedVersion: 1 }),
      fixture.patch(id, edit),
    ]);
    expect(edited.status).toBe(200);
    const supply = await supplyOf(gateway, id);
    if (approved.status === 200) {
      expect(supply).toMatchObject({ net: 10_000 });
      expect((await fixture.read(id)).payload).toMatchObject({
        status: 'Approved',
        cost: { amount: 100, pending: { amount: edit.cost } },
      });
    } else {
      expect(approved.state).toBe('CONFLICT_VERSION');
      expect(supply).toBeUndefined();
    }
  }
});

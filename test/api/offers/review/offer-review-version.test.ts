import { expect } from 'vitest';
import { percentageOfSale } from '../../../support/api/actors.ts';
import { call, refusal, type Gateway } from '../../../support/api/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { newOfferFixture, recordOf, type OfferFixture } from '../offer-fixture.ts';

// A reviewer decides on what was read, or not at all (D83). Which facts count has its cases in the
// grid of `test/domain/offers/model`.

const reviewVersion = async (gateway: Gateway, { operator }: OfferFixture, id: string) => {
  const url = `/operator/v1/offers/${id}`;
  return Number((await call(gateway, 'GET', url, operator)).payload?.['reviewVersion']);
};
const decide = (
  gateway: Gateway,
  { operator }: OfferFixture,
  id: string,
  action: string,
  body: unknown,
) => call(gateway, 'POST', `/operator/v1/offers/${id}/${action}`, { ...operator, body });

test.for<readonly [string, (fixture: OfferFixture, id: string) => Promise<unknown>]>([
  ['a detail', ({ patch }, id) => patch(id, { rawSizeMl: 7 })],
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
  'a change of %s refuses each decision on what was read before',
  async ([, change], { gateway }) => {
    const fixture = await newOfferFixture(gateway);
    const id = await fixture.create();
    const expectedVersion = await reviewVersion(gateway, fixture, id);
    await change(fixture, id);
    const before = await recordOf(gateway, id);
    const conflict = refusal('CONFLICT_VERSION', {
      expectedVersion,
      reviewVersion: await reviewVersion(gateway, fixture, id),
    });
    for (const action of ['approve', 'pending-price/apply', 'pending-price/discard'])
      expect(await decide(gateway, fixture, id, action, { expectedVersion })).toMatchObject(
        conflict,
      );
    const rejection = { reason: 'No.', expectedVersion };
    expect(await decide(gateway, fixture, id, 'reject', rejection)).toMatchObject(conflict);
    expect(await recordOf(gateway, id)).toBe(before);
  },
);

test('stock by push or by the older form does not count, nor does a vendor’s move', async ({
  gateway,
}) => {
  const fixture = await newOfferFixture(gateway);
  const id = await fixture.create();
  const expectedVersion = await reviewVersion(gateway, fixture, id);
  await fixture.send('PATCH', `/${id}/stock`, { declaredInStock: true, declaredStockQuantity: 5 });
  await fixture.patch(id, { cost: 100, costIsVatInclusive: false, declaredStockQuantity: 9 });
  await fixture.send('POST', `/${id}/withdraw`);
  await fixture.send('POST', `/${id}/submit`);
  expect(await decide(gateway, fixture, id, 'approve', { expectedVersion })).toMatchObject({
    status: 200,
    payload: { status: 'Approved' },
  });
});

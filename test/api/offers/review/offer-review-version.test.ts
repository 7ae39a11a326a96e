import { expect } from 'vitest';
import { percentageOfSale } from '../../../support/api/actors.ts';
import { call, refusal } from '../../../support/api/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { newOfferFixture, recordOf, type OfferFixture } from '../offer-fixture.ts';

// A reviewer decides on what was read, or not at all (D83). Which facts count has its cases in the
// grid of `test/domain/offers/model`.

const otherMarkup = { pricingModel: 'CostPlusMargin', rateBasisPoints: 4321 } as const;

test.for<readonly [string, (fixture: OfferFixture, id: string) => Promise<unknown>]>([
  ['a detail', ({ patch }, id) => patch(id, { rawSizeMl: 7 })],
  ['the pricing model', ({ switchAgreement }) => switchAgreement(percentageOfSale)],
  ['the percentage', ({ switchAgreement }) => switchAgreement(otherMarkup)],
])('a change of %s refuses each decision on what was read before', async (row, { gateway }) => {
  const [, change] = row;
  const fixture = await newOfferFixture(gateway);
  const id = await fixture.create();
  const url = `/operator/v1/offers/${id}`;
  const reviewVersion = async () =>
    Number((await call(gateway, 'GET', url, fixture.operator)).payload?.['reviewVersion']);
  const expectedVersion = await reviewVersion();
  await change(fixture, id);
  const before = await recordOf(gateway, id);
  const details = { expectedVersion, reviewVersion: await reviewVersion() };
  for (const action of ['approve', 'pending-price/apply', 'pending-price/discard', 'reject']) {
    const body = { expectedVersion, ...(action === 'reject' ? { reason: 'No.' } : {}) };
    const answer = await call(gateway, 'POST', `${url}/${action}`, { ...fixture.operator, body });
    expect(answer).toMatchObject(refusal('CONFLICT_VERSION', details));
  }
  expect(await recordOf(gateway, id)).toBe(before);
});

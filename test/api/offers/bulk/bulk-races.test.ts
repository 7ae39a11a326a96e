import { expect } from 'vitest';
import { findOffer } from '../../../../db/offers/offers.ts';
import { newOperator, newVariant, newVendor } from '../../../support/api/actors.ts';
import { call } from '../../../support/api/api.ts';
import { bodyOfDecision } from '../../../support/api/review-version.ts';
import { seedManyOffers } from '../../../support/seeds/agreement.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { supplyOf } from '../offer-fixture.ts';
import { inStock, pushAll } from './bulk-fixture.ts';

test('stores opposite bulk calls, single pushes and first approvals without a deadlock', async ({
  gateway,
}) => {
  const vendor = await newVendor(gateway);
  const operator = await newOperator(gateway);
  const { token, vendorId } = vendor;
  const variantId = (await newVariant(gateway)).id;
  const offers = await seedManyOffers(gateway.sql, { vendorId, variantId }, { inFirstReview: 40 });
  const ids = offers.map(({ id }) => id);
  const bulk = (order: readonly string[], quantity: number) =>
    pushAll(
      gateway,
      vendor,
      order.map((offerId) => ({ offerId, ...inStock(quantity) })),
    );
  const approve = async (id: string) => {
    const url = `/operator/v1/offers/${id}/approve`;
    const body = await bodyOfDecision(gateway, operator.token, url, {});
    return call(gateway, 'POST', url, { token: operator.token, body });
  };
  const push = (id: string) =>
    call(gateway, 'PATCH', `/api/v1/scent/offers/${id}/stock`, { token, body: inStock(30) });
  const [bulks, answers] = await Promise.all([
    Promise.all([bulk(ids, 10), bulk(ids.toReversed(), 20), bulk(ids, 40)]),
    Promise.all(ids.flatMap((id) => [approve(id), push(id)])),
  ]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(bulks.flat().map(({ state }) => state))).toEqual(new Set(['SUCCESS']));
  for (const { id, version } of offers) {
    const offer = await findOffer(gateway.sql, vendorId, id);
    // Four pushes of different quantities and an approval.
    expect(offer).toMatchObject({ status: 'Approved', version: version + 5 });
    expect(await supplyOf(gateway, id)).toMatchObject({
      stockQuantity: offer?.declaredStockQuantity,
    });
  }
});

import { expect } from 'vitest';
import { findOffer } from '../../../../db/offers/offers.ts';
import type { Offer } from '../../../../domain/offers/offer.ts';
import { newOperator, newVariant, newVendor, percentageOfSale } from '../../support/actors.ts';
import { call, type Gateway } from '../../support/api.ts';
import { bodyOfDecision } from '../../support/review-version.ts';
import {
  changeAgreement,
  seedManyOffers,
  type OfferKind,
} from '../../../support/seeds/agreement.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { supplyOf } from '../offer-fixture.ts';
import { inStock, pushAll } from './bulk-fixture.ts';

async function parties(gateway: Gateway, kind: OfferKind, count: number) {
  const vendor = await newVendor(gateway);
  const operator = await newOperator(gateway);
  const variantId = (await newVariant(gateway)).id;
  const { vendorId } = vendor;
  const offers = await seedManyOffers(gateway.sql, { vendorId, variantId }, { [kind]: count });
  const read = async (id: string): Promise<Offer> => {
    const offer = await findOffer(gateway.sql, vendorId, id);
    if (offer === null) throw new Error('no offer');
    return offer;
  };
  return { vendor, operator, ids: offers.map(({ id }) => id), read };
}

test('stores opposite bulk calls, single pushes and first approvals without a deadlock', async ({
  gateway,
}) => {
  const { vendor, operator, ids, read } = await parties(gateway, 'inFirstReview', 40);
  const { token } = vendor;
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
  const before = new Map(await Promise.all(ids.map(async (id) => [id, await read(id)] as const)));
  const [bulks, answers] = await Promise.all([
    Promise.all([bulk(ids, 10), bulk(ids.toReversed(), 20), bulk(ids, 40)]),
    Promise.all(ids.flatMap((id) => [approve(id), push(id)])),
  ]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(bulks.flat().map(({ state }) => state))).toEqual(new Set(['SUCCESS']));
  for (const id of ids) {
    const offer = await read(id);
    // Four pushes of different quantities and an approval.
    expect(offer).toMatchObject({
      status: 'Approved',
      version: (before.get(id)?.version ?? 0) + 5,
    });
    expect(await supplyOf(gateway, id)).toMatchObject({
      stockQuantity: offer.declaredStockQuantity,
    });
  }
});

test('leaves a pending agreement switch of an offer pending, as the single push does', async ({
  gateway,
}) => {
  const { vendor, ids } = await parties(gateway, 'approved', 2);
  await changeAgreement(gateway.sql, vendor.vendorId, percentageOfSale);
  const items = ids.map((offerId) => ({ offerId, ...inStock(9) }));
  const results = await pushAll(gateway, vendor, items);
  expect(results.map(({ state }) => state)).toEqual(['SUCCESS', 'SUCCESS']);
  const rows = await gateway.sql`
    select status, agreement_epoch, declared_stock_quantity from offers
    where id = any(${ids}::uuid[])`;
  const stored = { status: 'Approved', agreementEpoch: 0, declaredStockQuantity: 9 };
  expect(rows).toEqual([stored, stored]);
});

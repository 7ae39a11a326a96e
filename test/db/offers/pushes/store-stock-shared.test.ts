import { expect } from 'vitest';
import type { Queryable } from '../../../../db/core/client.ts';
import { findAnyOffer } from '../../../../db/offers/offers.ts';
import { createStockStore } from '../../../../db/offers/pushes/share-stock-pushes.ts';
import { insertVariant } from '../../../../db/offers/variants.ts';
import type { Offer } from '../../../../domain/offers/offer.ts';
import { variant } from '../../../domain/offers/offer-builders.ts';
import {
  meets,
  newOffer,
  now,
  test,
  transactionsOf,
  type Fixtures,
} from './store-stock-fixture.ts';

test.beforeAll(async ({ sql, variantId }) => {
  await insertVariant(sql, { ...variant, id: variantId, sku: variantId });
});

const newOffers = (fixtures: Fixtures, count: number): Promise<Offer[]> =>
  Promise.all(Array.from({ length: count }, async () => newOffer(fixtures, {}, true)));

const stockOf = ({ id: offerId, vendorId }: Offer, declaredStockQuantity: number) => ({
  vendorId,
  offerId,
  declaredInStock: true,
  declaredStockQuantity,
  now,
});

test('pushes that arrive during three statements share one transaction', async ({
  sql,
  vendorId,
  variantId,
}) => {
  const offers = await newOffers({ sql, vendorId, variantId }, 10);
  const store = createStockStore(sql);
  const pushed = await Promise.all(
    offers.map((offer, index) => store(stockOf(offer, 100 + index))),
  );
  expect(pushed.map((push) => push?.offer.id)).toEqual(offers.map(({ id }) => id));
  expect(pushed.map((push) => push?.offer.declaredStockQuantity)).toEqual(
    offers.map((_, index) => 100 + index),
  );
  expect(await transactionsOf(sql, offers)).toBe(4);
});

test('their offers have change times of their own', async ({ sql, vendorId, variantId }) => {
  const offers = await newOffers({ sql, vendorId, variantId }, 10);
  const store = createStockStore(sql);
  await Promise.all(offers.map((offer) => store(stockOf(offer, 100))));
  const [row] = await sql<[{ times: number }]>`
    select count(distinct change_time)::int as times from offers
    where id = any(${offers.map(({ id }) => id)}::uuid[])`;
  expect(row.times).toBe(10);
});

test('pushes for one offer are all stored, one after the other', async ({
  sql,
  vendorId,
  variantId,
}) => {
  const offer = await newOffer({ sql, vendorId, variantId }, {}, true);
  const store = createStockStore(sql);
  const quantities = [100, 101, 102, 103];
  const pushed = await Promise.all(quantities.map((quantity) => store(stockOf(offer, quantity))));
  expect(pushed.map((push) => push?.offer.declaredStockQuantity)).toEqual(quantities);
  expect(await findAnyOffer(sql, offer.id)).toMatchObject({
    declaredStockQuantity: 103,
    version: offer.version + 4,
  });
});

test('a push that meets another writer waits alone, and the others are answered', async ({
  sql,
  vendorId,
  variantId,
}) => {
  const offers = await newOffers({ sql, vendorId, variantId }, 6);
  const [, , , locked] = offers;
  if (locked === undefined) throw new Error('there is no offer');
  const store = createStockStore(sql);
  const answered: string[] = [];
  // The first three each have a statement, and the others share one.
  const pushes = () =>
    Promise.all(
      offers.map(async (offer) => {
        await store(stockOf(offer, 50));
        answered.push(offer.id);
      }),
    );
  const change = (transaction: Queryable) =>
    transaction`update offers set vendor_sku = 'S' where id = ${locked.id}`;
  await meets(sql, change, pushes);
  expect(answered).toHaveLength(6);
  expect(answered.at(-1)).toBe(locked.id);
  const stored = { declaredStockQuantity: 50, vendorSku: 'S' };
  expect(await findAnyOffer(sql, locked.id)).toMatchObject(stored);
});

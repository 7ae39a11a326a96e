import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { type Sql } from '../../../db/core/client.ts';
import { findAnyOffer } from '../../../db/offers/offers.ts';
import { upsertSupplyOption } from '../../../db/offers/supply-options.ts';
import { insertVariant } from '../../../db/offers/variants.ts';
import type { Agreement } from '../../../domain/accounts/agreement.ts';
import { maxHalalas } from '../../../domain/money.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { offer as offerLike, variant } from '../../domain/offers/offer-builders.ts';
import { addVendor, insertGivenOffer } from '../support.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';

async function newOffer(
  sql: Sql,
  agreement: Agreement,
  given: Partial<Offer> = {},
): Promise<Offer> {
  const variantId = uuidv7();
  await insertVariant(sql, { ...variant, id: variantId, sku: variantId });
  const { pricingModel } = agreement;
  const vendorId = await addVendor(sql, agreement);
  const supply = { optionId: uuidv7(), isPaused: false, pricingModel };
  const offer = offerLike({ id: uuidv7(), vendorId, variantId, pricingModel, supply, ...given });
  await insertGivenOffer(sql, offer);
  return offer;
}

const optionOf = async (sql: Sql, offer: Offer) =>
  (
    await sql`
    select net, sell_net::float8 as sell_net, payout_net, stock_quantity, in_stock, is_paused,
      variant_id
    from supply_options where offer_id = ${offer.id}`
  )[0];

const markup = (rateBasisPoints: number): Agreement => ({
  pricingModel: 'CostPlusMargin',
  rateBasisPoints,
});

test('under Model 2 it sells at the sale price', async ({ sql }) => {
  const salePrice = { netHalalas: 20_000, vatHalalas: 3000, enteredVatInclusive: false };
  const agreement = { pricingModel: 'PercentageOfSale', rateBasisPoints: 1500 } as const;
  const offer = await newOffer(sql, agreement, { salePrice });
  await upsertSupplyOption(sql, offer, agreement);
  expect(await optionOf(sql, offer)).toMatchObject({
    net: 20_000,
    sellNet: 20_000,
    payoutNet: 17_000,
  });
});

test('a second approval updates the one option and ends its pause', async ({ sql }) => {
  const offer = await newOffer(sql, markup(2000));
  await upsertSupplyOption(sql, offer, markup(2000));
  await sql`update supply_options set is_paused = true where offer_id = ${offer.id}`;
  expect((await findAnyOffer(sql, offer.id))?.supply).toEqual({ ...offer.supply, isPaused: true });
  await upsertSupplyOption(
    sql,
    { ...offer, declaredStockQuantity: 0, declaredInStock: false },
    markup(2500),
  );
  expect((await findAnyOffer(sql, offer.id))?.supply).toEqual(offer.supply);
  expect(await optionOf(sql, offer)).toMatchObject({
    sellNet: 12_500,
    stockQuantity: 0,
    inStock: false,
  });
});

// The largest cost is 9,999,999.99 and the largest markup 1,000 %: 109,999,999.89 is above an int4
// of halalas.
test('stores the option of the highest cost under the highest markup', async ({ sql }) => {
  const cost = { netHalalas: maxHalalas, vatHalalas: 0, enteredVatInclusive: false };
  const offer = await newOffer(sql, markup(100_000), { cost });
  await upsertSupplyOption(sql, offer, markup(100_000));
  expect(await optionOf(sql, offer)).toMatchObject({ sellNet: 11 * maxHalalas });
});

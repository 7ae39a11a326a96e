import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { type Sql } from '../../../../db/core/client.ts';
import { storeStock } from '../../../../db/offers/pushes/store-stock.ts';
import { insertVariant } from '../../../../db/offers/variants.ts';
import { upsertSupplyOption } from '../../../../db/offers/supply-options.ts';
import type { Agreement } from '../../../../domain/accounts/agreement.ts';
import { type Offer } from '../../../../domain/offers/offer.ts';
import { statusesInReview } from '../../../../domain/offers/offer-status.ts';
import { offer as offerLike, variant } from '../../../domain/offers/offer-builders.ts';
import { addVendor, insertGivenOffer } from '../../support.ts';
import { databaseTest } from '../../../support/database/database-test.ts';

/** What helpers need of a test's fixtures. */
export type Fixtures = { readonly sql: Sql; readonly vendorId: string; readonly variantId: string };

export const test = databaseTest
  .extend('vendorId', { scope: 'file' }, ({ sql }) => addVendor(sql))
  .extend('variantId', { scope: 'file' }, async ({ sql }) => {
    const id = uuidv7();
    await insertVariant(sql, { ...variant, id, sku: id });
    return id;
  });

export const agreement: Agreement = { pricingModel: 'CostPlusMargin', rateBasisPoints: 2000 };

export const at = new Date('2026-02-01T00:00:00.000Z');

export const now = new Date('2026-03-01T10:00:00.000Z');

/** A stored offer; with `supply` it has a supply option of the stock that the offer has. */
export async function newOffer(
  { sql, vendorId, variantId }: Pick<Fixtures, 'sql' | 'vendorId' | 'variantId'>,
  given: Partial<Offer> = {},
  hasSupply = false,
): Promise<Offer> {
  const status = given.status ?? 'Approved';
  const offer = offerLike({
    id: uuidv7(),
    vendorId,
    variantId,
    vendorExternalId: null,
    barcode: variant.barcode,
    status,
    awaitingSince: statusesInReview.includes(status) ? at : null,
    supply: hasSupply
      ? { optionId: uuidv7(), isPaused: status !== 'Approved', pricingModel: 'CostPlusMargin' }
      : null,
    ...given,
  });
  expect(await insertGivenOffer(sql, offer)).toBe(true);
  if (hasSupply) await upsertSupplyOption(sql, offer, agreement);
  return offer;
}

export const snapshotOf = async (sql: Sql, { id }: Offer) =>
  (
    await sql`
      select stock_quantity, in_stock, updated_at from supply_options where offer_id = ${id}`
  )[0];

export const push =
  (sql: Sql, vendorId: string, offer: Offer, declaredStockQuantity: number) => () =>
    storeStock(sql, {
      declaredInStock: true,
      declaredStockQuantity,
      vendorId,
      offerId: offer.id,
    });

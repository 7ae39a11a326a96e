import { findLockedOffers } from '../../../db/offers/lock-own-offers.ts';
import { storeOffers, type OfferChange } from '../../../db/offers/store-offers.ts';
import { storeStocks, type StockPushOf } from '../../../db/offers/store-stocks.ts';
import { invalid, ok, type Result } from '../../../domain/errors.ts';
import { barcodeMissing } from '../../../domain/offers/barcode-rule.ts';
import { pushPrice } from '../../../domain/offers/edit-offer.ts';
import type { PriceDeclaration, PriceField } from '../../../domain/offers/offer-prices.ts';
import type { StorePushes } from './push-chunk.ts';

/** Stores stock by the statement of the single push. */
export const storeStockPushes: StorePushes<Omit<StockPushOf, 'offerId'>> = async (
  sql,
  vendorId,
  pushes,
) => {
  const stored = await storeStocks(sql, vendorId, {
    pushes: pushes.map(({ offerId, declared }) => ({ ...declared, offerId })),
    now: new Date(),
  });
  return new Map(
    Array.from(stored, ([id, { isRefused, version }]) => [
      id,
      isRefused ? invalid(barcodeMissing) : ok(version),
    ]),
  );
};

/** Stores prices by the rule of the single push. */
export const storePricePushes =
  (field: PriceField, vatRateBasisPoints: number): StorePushes<PriceDeclaration> =>
  async (sql, vendorId, pushes) => {
    const offers = await findLockedOffers(
      sql,
      pushes.map(({ offerId }) => offerId),
    );
    const context = { vatRateBasisPoints, now: new Date() };
    const changes: OfferChange[] = [];
    const results = new Map<string, Result<number>>();
    for (const { offerId, declared } of pushes) {
      const found = offers.get(offerId);
      if (found === undefined) throw new Error('a locked offer is gone');
      const decided = pushPrice(found.offer, { field, declared }, context);
      results.set(offerId, decided.ok ? ok(decided.value.version) : decided);
      if (decided.ok && decided.value !== found.offer) {
        changes.push({ found, after: decided.value });
      }
    }
    // Reviews of a thousand offers must not delay the messages of others.
    const stored = await storeOffers(sql, changes, { isLowPriority: true, lockedOf: vendorId });
    if (stored !== changes.length) throw new Error('a locked offer has changed');
    return results;
  };

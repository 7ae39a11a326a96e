import { storeStocks, type StockPushOf } from '../../db/offers/pushes/store-stocks.ts';
import { invalid, ok } from '../../domain/errors.ts';
import { barcodeMissing } from '../../domain/offers/barcode-rule.ts';
import { pushPrice } from '../../domain/offers/edit-offer.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import type { PriceDeclaration, PriceField } from '../../domain/offers/offer-prices.ts';
import { changeOffers } from './change-offers.ts';
import type { StorePushes } from './push-items.ts';

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
    const context = { vatRateBasisPoints, now: new Date() };
    const decisions = pushes.map(({ offerId, declared }) => ({
      offerId,
      decide: (offer: Offer) => pushPrice(offer, { field, declared }, context),
    }));
    const changed = await changeOffers(sql, vendorId, decisions);
    return new Map(
      Array.from(changed, ([id, result]) => [
        id,
        result.ok ? ok(result.value.after.version) : result,
      ]),
    );
  };

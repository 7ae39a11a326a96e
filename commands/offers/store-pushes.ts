import { ok, type Result } from '../../domain/errors.ts';
import { pushPrice, pushStock } from '../../domain/offers/edit-offer.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import type { PriceDeclaration, PriceField } from '../../domain/offers/offer-prices.ts';
import type { StockDeclaration } from '../../domain/offers/stock.ts';
import { changeOffers, type OfferDecision } from './change-offers.ts';
import type { StorePushes } from './push-items.ts';

/** The stock push of an offer. Like the single push, it leaves a pending switch pending. */
export const stockDecision = (
  offerId: string,
  stock: StockDeclaration,
  now: Date,
): OfferDecision => ({
  offerId,
  decide: (offer) => pushStock(offer, stock, now),
  leavesSwitch: true,
});

/** Stores pushes by the rule of the single push. */
const storePushes =
  <TDeclared>(
    decisionOf: (offerId: string, declared: TDeclared, now: Date) => OfferDecision,
  ): StorePushes<TDeclared> =>
  async (sql, vendorId, pushes) => {
    const now = new Date();
    const decisions = pushes.map(({ offerId, declared }) => decisionOf(offerId, declared, now));
    const changed = await changeOffers(sql, vendorId, decisions);
    return new Map(
      Array.from(changed, ([id, result]) => [
        id,
        result.ok ? ok(result.value.after.version) : result,
      ]),
    );
  };

export const storeStockPushes: StorePushes<StockDeclaration> = storePushes(stockDecision);

export const storePricePushes = (
  field: PriceField,
  vatRateBasisPoints: number,
): StorePushes<PriceDeclaration> =>
  storePushes((offerId, declared, now) => ({
    offerId,
    decide: (offer: Offer): Result<Offer> =>
      pushPrice(offer, { field, declared }, { vatRateBasisPoints, now }),
  }));

import { ok } from '../../domain/errors.ts';
import { pushStock } from '../../domain/offers/edit-offer.ts';
import type { StockDeclaration } from '../../domain/offers/stock.ts';
import { changeOffers, type OfferDecision } from './change-offers.ts';
import type { StorePushes } from './push-items.ts';

/** The stock push of an offer. Like the single push, it leaves a pending switch pending. */
export const stockDecision = (offerId: string, stock: StockDeclaration): OfferDecision => ({
  offerId,
  decide: (offer, now) => pushStock(offer, stock, now),
  leavesSwitch: true,
});

/** Stores stock by the rule of the single push. */
export const storeStockPushes: StorePushes<StockDeclaration> = async (sql, vendorId, pushes) => {
  const decisions = pushes.map(({ offerId, declared }) => stockDecision(offerId, declared));
  const changed = await changeOffers(sql, vendorId, decisions);
  return new Map(
    Array.from(changed, ([id, result]) => [
      id,
      result.ok ? ok(result.value.after.version) : result,
    ]),
  );
};

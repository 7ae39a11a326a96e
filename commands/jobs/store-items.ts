import { findLockedOffers } from '../../db/offers/lock-own-offers.ts';
import { fail, invalidFields, ok, type Result } from '../../domain/errors.ts';
import type { NamedItem } from '../../domain/jobs/job-item.ts';
import { revertChange } from '../../domain/jobs/recorded-change.ts';
import {
  editOffer,
  pushPrice,
  pushStock,
  type EditContext,
} from '../../domain/offers/edit-offer.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import { checkOlderForm } from '../../domain/offers/offer-prices.ts';
import { changeOffers, type ChangedOffer } from '../offers/change-offers.ts';
import type { OfferPush, StorePushes } from '../offers/push-items.ts';
import { storeStockPushes } from '../offers/store-pushes.ts';

type StockItem = Extract<NamedItem, { type: 'stock' }>;
const isStock = (push: OfferPush<NamedItem>): push is OfferPush<StockItem> =>
  push.declared.type === 'stock';

/** Stores items for locked offers; all have one kind. */
export const storeItems =
  (context: EditContext): StorePushes<NamedItem, ChangedOffer> =>
  (sql, vendorId, pushes) => {
    const stocks = pushes.filter(isStock);
    if (stocks.length > 0) return storeStocks(context)(sql, vendorId, stocks);
    const decisions = pushes.map(({ offerId, declared }) => ({
      offerId,
      decide: decisionOf(declared, context),
    }));
    return changeOffers(sql, vendorId, decisions);
  };

/**
 * Stores stock by the statement of the single push, and reads the changes for the record from the
 * domain's rule.
 */
const storeStocks =
  ({ now }: EditContext): StorePushes<StockItem, ChangedOffer> =>
  async (sql, vendorId, pushes) => {
    const ids = pushes.map(({ offerId }) => offerId);
    const offers = await findLockedOffers(sql, ids);
    const stored = await storeStockPushes(
      sql,
      vendorId,
      pushes.map(({ offerId, declared }) => ({ offerId, declared: declared.stock })),
    );
    const results = new Map<string, Result<ChangedOffer>>();
    for (const { offerId, declared } of pushes) {
      const before = offers.get(offerId)?.offer;
      const pushed = stored.get(offerId);
      if (before === undefined || pushed === undefined) throw new Error('a locked offer is gone');
      const after = pushStock(before, declared.stock, now);
      if (pushed.ok !== after.ok) throw new Error('the stock statement differs from its rule');
      results.set(offerId, after.ok ? ok({ before, after: after.value }) : after);
    }
    return results;
  };

/** Returns the rule of an item's single call. */
const decisionOf =
  (item: NamedItem, context: EditContext) =>
  (offer: Offer): Result<Offer> => {
    switch (item.type) {
      case 'edit':
        return offer.source === 'Api'
          ? editOffer(offer, item.edit, context)
          : fail('NOT_FOUND_VENDOR_OFFER');
      case 'malformedOlderForm': {
        const allowed = checkOlderForm(offer.pricingModel);
        if (offer.source !== 'Api' || allowed.ok) return { ok: false, failure: item.failure };
        return item.malformed.length > 0 ? invalidFields(item.malformed) : allowed;
      }
      case 'price':
        return pushPrice(offer, item.price, context);
      case 'stock':
        return pushStock(offer, item.stock, context.now);
      case 'revert':
        return revertChange(offer, item.change, context.now);
    }
  };

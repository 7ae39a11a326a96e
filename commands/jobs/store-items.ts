import { fail, invalidFields, type Result } from '../../domain/errors.ts';
import type { NamedItem } from '../../domain/jobs/job-item.ts';
import { revertChange } from '../../domain/jobs/recorded-change.ts';
import { editOffer, pushPrice } from '../../domain/offers/edit-offer.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import { checkOlderForm } from '../../domain/offers/offer-prices.ts';
import { changeOffers, type ChangedOffer } from '../offers/change-offers.ts';
import type { StorePushes } from '../offers/push-items.ts';
import { stockDecision } from '../offers/store-pushes.ts';

type StoreSettings = { readonly vatRateBasisPoints: number };

/** Stores items for locked offers; all have one kind. */
export const storeItems =
  (settings: StoreSettings): StorePushes<NamedItem, ChangedOffer> =>
  (sql, vendorId, pushes) => {
    const decisions = pushes.map(({ offerId, declared }) =>
      declared.type === 'stock'
        ? stockDecision(offerId, declared.stock)
        : { offerId, decide: decisionOf(declared, settings) },
    );
    return changeOffers(sql, vendorId, decisions);
  };

/** Returns the rule of an item's single call. */
const decisionOf =
  (item: Exclude<NamedItem, { type: 'stock' }>, { vatRateBasisPoints }: StoreSettings) =>
  (offer: Offer, now: Date): Result<Offer> => {
    const context = { vatRateBasisPoints, now };
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
      case 'revert':
        return revertChange(offer, item.change, now);
    }
  };

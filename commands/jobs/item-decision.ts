import { fail, invalidFields, type Result } from '../../domain/errors.ts';
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

/** What an item does to its offer: the rule of its single call. */
export const decisionOf =
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

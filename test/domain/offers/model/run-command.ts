import { editOffer, pushPrice, pushStock } from '../../../../domain/offers/edit-offer.ts';
import type { Result } from '../../../../domain/errors.ts';
import { moveOffer } from '../../../../domain/offers/move-offer.ts';
import { reviewVersionOf, type Offer } from '../../../../domain/offers/offer.ts';
import { reviewOffer } from '../../../../domain/offers/review-offer.ts';
import {
  applyPendingSwitch,
  type AgreementInForce,
} from '../../../../domain/offers/switch-agreement.ts';
import { deepFrozen } from '../offer-builders.ts';
import { reviewReason, variantOf, type Command } from './offer-commands.ts';

/** The offer and the agreement that the database would store. */
export type Stored = { readonly offer: Offer; readonly agreement: AgreementInForce };

export const seenIn = ({ offer, agreement }: Stored): Offer =>
  deepFrozen(applyPendingSwitch(offer, agreement));

export function run(offer: Offer, command: Command, now: Date): Result<Offer> {
  const context = { vatRateBasisPoints: 1500, now };
  const reason = reviewReason;
  const isLate = 'isLate' in command && command.isLate;
  const expectedVersion = reviewVersionOf(offer) - (isLate ? 1 : 0);
  switch (command.kind) {
    case 'edit': {
      const { vendorSku, rawBrandName, barcode, priced, stock } = command;
      const description = {
        ...(vendorSku === undefined ? {} : { vendorSku }),
        ...(rawBrandName === undefined ? {} : { rawBrandName }),
        ...(barcode === undefined ? {} : { barcode }),
      };
      const prices =
        priced === undefined ? [] : [{ field: priced.field, declared: priced.price.sent }];
      return editOffer(offer, { description, prices, stock: stock ?? null }, context);
    }
    case 'pushPrice':
      return pushPrice(offer, { field: command.field, declared: command.price.sent }, context);
    case 'pushStock':
      return pushStock(offer, command.stock, now);
    case 'submit':
    case 'withdraw':
      return moveOffer(offer, { action: command.kind }, now);
    case 'suspend':
    case 'reinstate':
      return moveOffer(offer, { action: command.kind, reason }, now);
    case 'approve': {
      const variantId = command.match;
      const newSupplyOptionId = `option-of-version-${offer.version}`;
      const context = { variant: variantOf(variantId ?? offer.variantId), newSupplyOptionId, now };
      return reviewOffer(offer, { action: 'approve', variantId, expectedVersion }, context);
    }
    case 'reject':
    case 'returnToReview':
    case 'applyPrice':
    case 'discardPrice': {
      const context = { variant: null, newSupplyOptionId: 'never', now };
      return reviewOffer(offer, { action: command.kind, reason, expectedVersion }, context);
    }
    case 'switchAgreement':
    case 'follow':
      return { ok: true, value: offer };
  }
}

/** What is stored after a command that read `before` and answered `result`. */
export function storedAfter(
  stored: Stored,
  command: Command,
  before: Offer,
  result: Result<Offer>,
  now: Date,
): Stored {
  const { offer, agreement } = stored;
  if (command.kind === 'switchAgreement') {
    const pricingModel =
      agreement.pricingModel === 'CostPlusMargin' ? 'PercentageOfSale' : 'CostPlusMargin';
    return { offer, agreement: { pricingModel, epoch: agreement.epoch + 1, changedAt: now } };
  }
  if (command.kind === 'follow') return { offer: before, agreement };
  // The gateway stores no change that changes nothing.
  return result.ok && result.value !== before
    ? { offer: deepFrozen(result.value), agreement }
    : stored;
}

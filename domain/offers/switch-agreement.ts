import type { PricingModel } from '../accounts/agreement.ts';
import type { Offer } from './offer.ts';
import { moved, nextVersion, transitionOf } from './offer-change.ts';

/** The agreement that a vendor's offers are to follow, since `changedAt`. */
export type AgreementInForce = {
  readonly pricingModel: PricingModel;
  /** Counts the vendor's switches of model. */
  readonly epoch: number;
  readonly changedAt: Date;
};

/**
 * The offer under the vendor's present agreement; the very same offer when it follows that already. A switch moves Approved
 * and PendingReview to PendingRepricing, pauses their supply, and drops what was staged (part 3, D60). The old
 * model's price stays stored, out of use (D29).
 */
export function applyPendingSwitch(offer: Offer, agreement: AgreementInForce): Offer {
  if (offer.agreementEpoch >= agreement.epoch) return offer;
  const transition = transitionOf(offer, 'switchAgreement');
  const after = transition === null ? offer : moved(offer, transition);
  const switched: Offer = {
    ...after,
    pricingModel: agreement.pricingModel,
    agreementEpoch: agreement.epoch,
    pendingCost: null,
    pendingSalePrice: null,
  };
  // Stock may have been pushed since the switch, before this was stored: that stays the latest change.
  const changedAt = offer.changedAt > agreement.changedAt ? offer.changedAt : agreement.changedAt;
  // Each switch is a change of its own, also when several are followed at once.
  const version = offer.version + agreement.epoch - offer.agreementEpoch;
  return { ...nextVersion(offer, switched, changedAt), version };
}

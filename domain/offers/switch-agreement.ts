import type { PricingModel } from '../accounts/agreement.ts';
import type { Offer } from './offer.ts';
import { applyTransition, nextVersion, transitionOf } from './offer-change.ts';

/** The agreement that a vendor's offers follow since `changedAt`. */
export type AgreementInForce = {
  readonly pricingModel: PricingModel;
  /** The number of the vendor's switches of model. */
  readonly epoch: number;
  readonly changedAt: Date;
};

/**
 * The offer under the vendor's present agreement; the same object when it already follows it. A
 * switch moves Approved and PendingReview to PendingRepricing, pauses the supply option and drops
 * staged prices (part 3, D60). The old model's price stays stored without use.
 */
export function applyPendingSwitch(offer: Offer, agreement: AgreementInForce): Offer {
  if (offer.agreementEpoch >= agreement.epoch) return offer;
  const transition = transitionOf(offer, 'switchAgreement');
  const after = transition === null ? offer : applyTransition(offer, transition);
  const switched: Offer = {
    ...after,
    pricingModel: agreement.pricingModel,
    agreementEpoch: agreement.epoch,
    pendingCost: null,
    pendingSalePrice: null,
  };
  // A stock push after the switch is the later change.
  const changedAt = offer.changedAt > agreement.changedAt ? offer.changedAt : agreement.changedAt;
  // Each switch counts as a change.
  const version = offer.version + agreement.epoch - offer.agreementEpoch;
  // The agreement's own counter has raised the review version already.
  const { judgedVersion } = offer;
  return { ...nextVersion(offer, switched, changedAt), version, judgedVersion };
}

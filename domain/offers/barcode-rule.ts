import { fieldError } from '../errors.ts';
import type { Offer } from './offer.ts';

/** What the rule says when it is broken. */
export const barcodeMissing = fieldError(
  'barcode',
  'required',
  'is required before this change: the offer has none yet',
);

/** What a change does, as far as the barcode rule asks. */
export type ChangeEffects = {
  /** vendorSku, vendorExternalId or a raw field changes. */
  readonly changesProductDetails: boolean;
  /** Anything changes, stock included. */
  readonly changesAnything: boolean;
  /** A price of the agreement was declared, changed or not. */
  readonly declaresPrice: boolean;
};

/**
 * Rules 2 to 5 of update-offer, for every route (D27): without a barcode no product detail changes, and nothing that
 * resubmits: every change of a Rejected offer, a price on a PendingRepricing one. A price elsewhere, and stock, go through.
 */
export function lacksBarcode(offer: Offer, effects: ChangeEffects): boolean {
  if (offer.barcode !== null) return false;
  const { changesProductDetails, changesAnything, declaresPrice } = effects;
  return (
    changesProductDetails ||
    (offer.status === 'Rejected' && changesAnything) ||
    (offer.status === 'PendingRepricing' && declaresPrice)
  );
}

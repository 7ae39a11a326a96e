import { fieldError } from '../errors.ts';
import type { Offer } from './offer.ts';

/** The error of the rule. */
export const barcodeMissing = fieldError(
  'barcode',
  'required',
  'is required before this change: the offer has no barcode yet',
);

/** The facts of a change that the barcode rule tests. */
type ChangeEffects = {
  /** vendorSku, vendorExternalId or a raw field changes. */
  readonly changesProductDetails?: boolean;
  /** Anything changes, stock included. */
  readonly changesAnything: boolean;
  /** A price of the agreement was declared, changed or not. */
  readonly declaresPrice?: boolean;
};

/**
 * Rules 2 to 5 of update-offer, for every route. An offer without a barcode refuses changes of
 * product details, and changes that resubmit it: every change of a Rejected offer, and a price on a
 * PendingRepricing one.
 */
export const lacksBarcode = (
  { barcode, status }: Offer,
  { changesProductDetails = false, changesAnything, declaresPrice = false }: ChangeEffects,
): boolean =>
  barcode === null &&
  (changesProductDetails ||
    (status === 'Rejected' && changesAnything) ||
    (status === 'PendingRepricing' && declaresPrice));

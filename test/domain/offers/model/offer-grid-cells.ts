import type { Offer, OfferStatus } from '../../../../domain/offers/offer.ts';

/** The facts about an offer that decide the answer to a command. */
export type Facts = {
  readonly status: OfferStatus;
  readonly isMatched: boolean;
  readonly hasBarcode: boolean;
  readonly wasApproved: boolean;
  readonly pricingModel: Offer['pricingModel'];
  /** A live price of the agreement; Model 2 may have none yet. */
  readonly hasPrice: boolean;
  readonly isStaged: boolean;
  /** The agreement was switched since its live price was approved. */
  readonly isSwitched: boolean;
  /** An identity fact was changed since it was approved. */
  readonly isEdited: boolean;
};

/** The status after a change; the field of VALIDATION_ERRORS; or the code of another refusal. */
export type Outcome =
  | OfferStatus
  | 'unchanged'
  | 'Barcode'
  | 'VariantId'
  | 'RawBrandName'
  | 'BUSINESS_OFFER_INVALID_TRANSITION'
  | 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT'
  | 'BUSINESS_OFFER_PRICE_REQUIRED'
  | 'BUSINESS_OFFER_NO_PENDING_PRICE'
  | 'CONFLICT_VERSION';
export type Cell = (facts: Facts) => Outcome;

export const is =
  (outcome: Outcome): Cell =>
  () =>
    outcome;
export const unchanged = is('unchanged');
export const stays: Cell = ({ status }) => status;
export const invalid = is('BUSINESS_OFFER_INVALID_TRANSITION');
export const wrongField = is('BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT');
export const inReview: Cell = ({ isMatched }) => (isMatched ? 'PendingReview' : 'PendingMatch');
export const barcoded =
  (cell: Cell): Cell =>
  (facts) =>
    facts.hasBarcode ? cell(facts) : 'Barcode';
export const named =
  (cell: Cell): Cell =>
  (facts) =>
    facts.isMatched ? cell(facts) : 'RawBrandName';
export const underModel1 =
  (cell: Cell): Cell =>
  (facts) =>
    facts.pricingModel === 'CostPlusMargin' ? cell(facts) : wrongField(facts);
/** A price equal to the live one changes nothing. An offer without a price has none to repeat. */
export const again =
  (cell: Cell): Cell =>
  (facts) =>
    facts.hasPrice ? 'unchanged' : cell(facts);
/** A push of the live price discards the staged one. */
export const pushedAgain =
  (cell: Cell): Cell =>
  (facts) =>
    facts.hasPrice && !facts.isStaged ? 'unchanged' : cell(facts);
/** Replacing a barcode changes the identity; a first barcode does not. */
export const sentBarcode: Cell = ({ hasBarcode }) => (hasBarcode ? 'PendingReview' : 'Approved');
export const priced: Cell = ({ hasPrice, isStaged }) =>
  hasPrice || isStaged ? 'Approved' : 'BUSINESS_OFFER_PRICE_REQUIRED';
export const settled: Cell = ({ status, isStaged }) =>
  isStaged ? status : 'BUSINESS_OFFER_NO_PENDING_PRICE';
export const returned: Cell = ({ isSwitched }) =>
  isSwitched ? 'BUSINESS_OFFER_INVALID_TRANSITION' : 'PendingReview';
export const reinstated: Cell = ({ isSwitched, isEdited }) => {
  if (isSwitched) return 'PendingRepricing';
  return isEdited ? 'PendingReview' : 'Approved';
};

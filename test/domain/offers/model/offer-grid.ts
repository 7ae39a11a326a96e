import type { Result } from '../../../../domain/errors.ts';
import type { Offer, OfferStatus } from '../../../../domain/offers/offer.ts';
import type { Price } from '../../../../domain/vat.ts';
import { now, price, variant } from '../offer-builders.ts';
import {
  again,
  barcoded,
  inReview,
  invalid,
  is,
  named,
  priced,
  pushedAgain,
  reinstated,
  returned,
  sentBarcode,
  settled,
  stays,
  unchanged,
  underModel1,
  wrongField,
  type Cell,
  type Facts,
} from './offer-grid-cells.ts';
import {
  approve,
  approveMatch,
  barcode,
  detail,
  edit,
  editOlder,
  editOther,
  livePrice,
  move,
  newPrice,
  others,
  own,
  push,
  review,
  stock,
  switchTo,
} from './offer-grid-commands.ts';

export type Row = Partial<Record<OfferStatus, Cell>> & {
  readonly run: (offer: Offer) => Result<Offer>;
  /** The answer in each status that the row omits. */
  readonly otherwise: Cell;
  /** All values that a change writes, apart from the bookkeeping. */
  readonly values?: (facts: Facts) => Partial<Offer>;
};

const otherModelOf = {
  CostPlusMargin: 'PercentageOfSale',
  PercentageOfSale: 'CostPlusMargin',
} as const;
const pendingOf = { cost: 'pendingCost', salePrice: 'pendingSalePrice' } as const;
const staged = price(9000, 1350);
const declared = price(newPrice, 1200);
const same = price(livePrice, 1500);

/** Staged if the offer was ever approved, live at once if not. */
const setTo =
  (value: Price) =>
  ({ wasApproved, pricingModel }: Facts): Partial<Offer> => {
    const field = own[pricingModel];
    return wasApproved
      ? { [pendingOf[field]]: value }
      : { [field]: value, [pendingOf[field]]: null };
  };
const setToNew = setTo(declared);
/** The live price sent again keeps the staged one. An offer without a price has none to repeat. */
const sentAgain = (facts: Facts): Partial<Offer> => {
  if (!facts.hasPrice) return setTo(same)(facts);
  return facts.isStaged ? { [pendingOf[own[facts.pricingModel]]]: staged } : {};
};
const dropped = ({ pricingModel }: Pick<Facts, 'pricingModel'>): Partial<Offer> => ({
  [pendingOf[own[pricingModel]]]: null,
});
const brandNew = ({ wasApproved }: Facts) => ({ identityChanged: wasApproved });
/** A first barcode is no change of what was approved. */
const rebarcoded = ({ wasApproved, hasBarcode, isEdited }: Facts) => ({
  barcode,
  identityChanged: isEdited || (wasApproved && hasBarcode),
});
const stocked = { declaredInStock: true, declaredStockQuantity: 9 };
const decided = (reviewReason: string | null) => ({ reviewedAt: now, reviewReason });
const applied = ({ pricingModel, isStaged }: Facts): Partial<Offer> => ({
  ...(isStaged ? { [own[pricingModel]]: staged } : {}),
  ...dropped({ pricingModel }),
});
const approved = ({ hasBarcode, ...facts }: Facts): Partial<Offer> => ({
  ...decided(null),
  ...applied({ hasBarcode, ...facts }),
  variantId: variant.id,
  everApproved: true,
  identityChanged: false,
  ...(hasBarcode ? {} : { barcode: variant.barcode }),
});

/**
 * Parts 3 and 4 of the specification, D18 to D31 and D59 to D64, independent of the domain's code.
 */
export const grid: Readonly<Record<string, Row>> = {
  'an edit of nothing': { run: edit({}), otherwise: unchanged },
  'an edit to the stored values': {
    run: (offer) => {
      const { rawBrandName, vendorExternalId } = offer;
      return edit({ description: { rawBrandName, vendorExternalId } })(offer);
    },
    otherwise: unchanged,
  },
  'an edit of a detail': {
    run: edit({ description: detail }),
    values: (facts) => ({ ...detail, ...brandNew(facts) }),
    otherwise: barcoded(stays),
    Approved: barcoded(inReview),
    Rejected: barcoded(inReview),
  },
  'an edit that clears the brand name': {
    run: edit({ description: { rawBrandName: null } }),
    values: (facts) => ({ rawBrandName: null, ...brandNew(facts) }),
    otherwise: named(barcoded(stays)),
    Approved: barcoded(inReview),
    Rejected: named(barcoded(inReview)),
  },
  'an edit of the barcode': {
    run: edit({ description: { barcode } }),
    values: rebarcoded,
    otherwise: stays,
    Approved: sentBarcode,
    Rejected: inReview,
  },
  'an edit of the barcode and a detail': {
    run: edit({ description: { barcode, ...detail } }),
    values: (facts) => ({ barcode, ...detail, ...brandNew(facts) }),
    otherwise: stays,
    Approved: inReview,
    Rejected: inReview,
  },
  'an edit of the price': {
    run: edit({}, newPrice),
    values: setToNew,
    otherwise: stays,
    Rejected: barcoded(inReview),
    PendingRepricing: barcoded(inReview),
  },
  'an edit to the live price': {
    run: edit({}, livePrice),
    values: sentAgain,
    otherwise: again(stays),
    Rejected: again(barcoded(inReview)),
    PendingRepricing: barcoded(inReview),
  },
  'an edit of the price and a detail': {
    run: edit({ description: detail }, newPrice),
    values: (facts) => ({ ...detail, ...brandNew(facts), ...setToNew(facts) }),
    otherwise: barcoded(stays),
    Approved: barcoded(inReview),
    Rejected: barcoded(inReview),
    PendingRepricing: barcoded(inReview),
  },
  'an edit of the price and the barcode': {
    run: edit({ description: { barcode } }, newPrice),
    values: (facts) => ({ ...rebarcoded(facts), ...setToNew(facts) }),
    otherwise: stays,
    Approved: sentBarcode,
    Rejected: inReview,
    PendingRepricing: inReview,
  },
  "an edit of the other model's price": { run: editOther({}), otherwise: wrongField },
  "an edit of the other model's price and a detail": {
    run: editOther(detail),
    otherwise: wrongField,
  },
  'an edit in the older form of stock': {
    run: editOlder(livePrice),
    values: () => stocked,
    otherwise: underModel1(stays),
    Rejected: underModel1(barcoded(inReview)),
    PendingRepricing: underModel1(barcoded(inReview)),
  },
  'an edit in the older form of stock and cost': {
    run: editOlder(newPrice),
    values: (facts) => ({ ...stocked, ...setToNew(facts) }),
    otherwise: underModel1(stays),
    Rejected: underModel1(barcoded(inReview)),
    PendingRepricing: underModel1(barcoded(inReview)),
  },
  'a push of the price': {
    run: push(own, newPrice),
    values: setToNew,
    otherwise: stays,
    Rejected: barcoded(inReview),
    PendingRepricing: barcoded(inReview),
  },
  'a push of the live price': {
    run: push(own, livePrice),
    values: (facts) => (facts.hasPrice ? dropped(facts) : setTo(same)(facts)),
    otherwise: pushedAgain(stays),
    Rejected: pushedAgain(barcoded(inReview)),
    PendingRepricing: barcoded(inReview),
  },
  "a push of the other model's price": {
    run: push(others, newPrice),
    otherwise: wrongField,
  },
  'a push of stock': {
    run: stock(9),
    values: () => stocked,
    otherwise: stays,
    Rejected: barcoded(stays),
  },
  'a push of the stored stock': { run: stock(5), otherwise: unchanged },
  submit: {
    run: move({ action: 'submit' }),
    otherwise: invalid,
    Draft: inReview,
    Rejected: barcoded(inReview),
    Withdrawn: inReview,
  },
  withdraw: {
    run: move({ action: 'withdraw' }),
    otherwise: is('Withdrawn'),
    Withdrawn: invalid,
  },
  suspend: {
    run: move({ action: 'suspend', reason: 'Stop.' }),
    values: () => decided('Stop.'),
    otherwise: invalid,
    Approved: is('Suspended'),
  },
  reinstate: {
    run: move({ action: 'reinstate', reason: 'Checked.' }),
    values: () => decided('Checked.'),
    otherwise: invalid,
    Suspended: reinstated,
  },
  approve: {
    run: review(approve),
    values: approved,
    otherwise: invalid,
    PendingMatch: is('VariantId'),
    PendingReview: priced,
  },
  'approve with a match': {
    run: review(approveMatch),
    values: approved,
    otherwise: invalid,
    PendingMatch: priced,
    PendingReview: priced,
  },
  'approve with a match to an inactive variant': {
    run: review(approveMatch, false),
    otherwise: invalid,
    PendingMatch: is('VariantId'),
    PendingReview: is('VariantId'),
  },
  reject: {
    run: review({ action: 'reject', reason: 'No.', expectedVersion: null }),
    values: () => decided('No.'),
    otherwise: invalid,
    Draft: is('Rejected'),
    PendingMatch: is('Rejected'),
    PendingReview: is('Rejected'),
  },
  'return to review': {
    run: review({ action: 'returnToReview', reason: 'Wrong match.', expectedVersion: null }),
    values: () => decided('Wrong match.'),
    otherwise: invalid,
    Approved: is('PendingReview'),
    Suspended: returned,
  },
  'apply the price': {
    run: review({ action: 'applyPrice', reason: 'Fair.', expectedVersion: null }),
    values: (facts) => ({ ...decided('Fair.'), ...applied(facts) }),
    otherwise: settled,
  },
  'discard the price': {
    run: review({ action: 'discardPrice', reason: 'Too high.', expectedVersion: null }),
    values: (facts) => ({ ...decided('Too high.'), ...dropped(facts) }),
    otherwise: settled,
  },
  'a decision on an earlier version': {
    run: review({ ...approve, expectedVersion: 2 }),
    otherwise: is('CONFLICT_VERSION'),
  },
  'a switch of the agreement': {
    run: switchTo(1),
    values: ({ pricingModel }) => ({
      pricingModel: otherModelOf[pricingModel],
      agreementEpoch: 1,
      pendingCost: null,
      pendingSalePrice: null,
    }),
    otherwise: stays,
    PendingReview: is('PendingRepricing'),
    Approved: is('PendingRepricing'),
  },
  'a switch of the agreement that it follows': {
    run: switchTo(0),
    otherwise: unchanged,
  },
};

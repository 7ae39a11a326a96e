import { isDeepStrictEqual } from 'node:util';
import type { Offer, OfferStatus } from '../../../../domain/offers/offer.ts';
import type { Price } from '../../../../domain/vat.ts';
import {
  reviewReason,
  variantOf,
  type Command,
  type Declared,
  type DeclaredStock,
} from './offer-commands.ts';
import { stopped } from './possible-offers.ts';

// The model states the rules of the specification and shares no code with the domain.

/** Compares by identity first, because most values pass through a command unchanged. */
export const isSameValue = (one: unknown, other: unknown): boolean =>
  one === other || isDeepStrictEqual(one, other);

export type Model = ReturnType<typeof modelOf>;
/**
 * The model after the command (the same object where nothing changes), or the code of the refusal.
 */
type Outcome = Model | string;

const invalid = 'BUSINESS_OFFER_INVALID_TRANSITION';
const wrongField = 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT';
const fieldOf = { CostPlusMargin: 'cost', PercentageOfSale: 'salePrice' } as const;
export const inReview = (model: Model): OfferStatus =>
  model.variantId === null ? 'PendingMatch' : 'PendingReview';
const to = (model: Model, status: OfferStatus): Model => ({
  ...model,
  status,
  isPaused: model.isPaused || stopped.includes(status),
});

function withPrice(model: Model, { sent, stored }: Declared, isPush: boolean): Model {
  const field = fieldOf[model.agreement];
  const equals = (other: Price | null) =>
    other?.netHalalas === stored.netHalalas &&
    (!sent.isVatInclusive || other.vatHalalas === stored.vatHalalas);
  if (equals(model.staged)) return model;
  if (equals(model.live[field])) return isPush ? { ...model, staged: null } : model;
  return model.wasApproved
    ? { ...model, staged: stored }
    : { ...model, live: { ...model.live, [field]: stored } };
}

function withStock(model: Model, { declaredInStock, declaredStockQuantity }: DeclaredStock): Model {
  const [, quantity] = model.stock;
  const kept = declaredStockQuantity ?? (quantity === 0 ? null : quantity);
  return { ...model, stock: declaredInStock ? [true, kept] : [false, 0] };
}

/** The outcome of an edit or a push that turns `model` into `after`, with the status of part 3. */
function judged(model: Model, after: Model, declaresPrice: boolean, isStockPush = false): Outcome {
  const differs = (...fields: readonly (keyof Model)[]) =>
    fields.some((field) => !isSameValue(model[field], after[field]));
  const isDetail = differs('vendorSku', 'rawBrandName');
  const isReplaced = model.barcode !== null && differs('barcode');
  const isAnythingButStock = isDetail || differs('barcode', 'live', 'staged');
  const { status } = model;
  const isRepriced = status === 'PendingRepricing' && declaresPrice;
  if (!isAnythingButStock && !differs('stock') && !isRepriced) return model;
  if (after.barcode === null && (isDetail || status === 'Rejected' || isRepriced)) return 'Barcode';
  const isIdentity = isDetail || isReplaced;
  const edited = { ...after, isEdited: model.isEdited || (model.wasApproved && isIdentity) };
  if (status === 'Rejected' && !isStockPush) return to(edited, inReview(edited));
  return isRepriced || (status === 'Approved' && isIdentity) ? to(edited, 'PendingReview') : edited;
}

/** Leading zeros make no difference (D143). */
const isSameBarcode = (one: string, other: string | null): boolean =>
  other !== null && BigInt(one) === BigInt(other);

function edited(model: Model, command: Extract<Command, { kind: 'edit' }>): Outcome {
  const { vendorSku, rawBrandName, barcode, priced, stock } = command;
  if (priced !== undefined && priced.field !== fieldOf[model.agreement]) return wrongField;
  const isNameless = rawBrandName === null && model.variantId === null;
  const described: Model = {
    ...model,
    ...(vendorSku === undefined ? {} : { vendorSku }),
    ...(rawBrandName === undefined || isNameless ? {} : { rawBrandName }),
    ...(barcode === undefined || isSameBarcode(barcode, model.barcode) ? {} : { barcode }),
  };
  const repriced = priced === undefined ? described : withPrice(described, priced.price, false);
  const after = stock === undefined ? repriced : withStock(repriced, stock);
  const outcome = judged(model, after, priced !== undefined);
  if (!isNameless) return outcome;
  return outcome === 'Barcode' ? 'RawBrandName,Barcode' : 'RawBrandName';
}

function approved(model: Model, match: string | null): Outcome {
  if (model.status !== 'PendingMatch' && model.status !== 'PendingReview') return invalid;
  const found = variantOf(match ?? model.variantId);
  if (found?.isActive !== true) return 'VariantId';
  const field = fieldOf[model.agreement];
  const livePrice = model.staged ?? model.live[field];
  if (livePrice === null) return 'BUSINESS_OFFER_PRICE_REQUIRED';
  return {
    ...model,
    status: 'Approved',
    variantId: found.id,
    barcode: model.barcode ?? found.barcode,
    wasApproved: true,
    isEdited: false,
    live: { ...model.live, [field]: livePrice },
    staged: null,
    sellsUnder: model.agreement,
    isPaused: false,
    reviewReason: null,
  };
}

function settled(model: Model, isApplied: boolean): Outcome {
  if (model.staged === null) return 'BUSINESS_OFFER_NO_PENDING_PRICE';
  if (!isApplied) return { ...model, staged: null, reviewReason };
  const live = { ...model.live, [fieldOf[model.agreement]]: model.staged };
  return { ...model, live, staged: null, sellsUnder: model.agreement, reviewReason };
}

const sellsUnderAgreement = ({ sellsUnder, agreement }: Model): boolean => sellsUnder === agreement;

function reinstated(model: Model): Outcome {
  if (model.status !== 'Suspended') return invalid;
  const decided = { ...model, reviewReason };
  if (!sellsUnderAgreement(model)) return to(decided, 'PendingRepricing');
  if (model.isEdited) return to(decided, 'PendingReview');
  return { ...decided, status: 'Approved', isPaused: false };
}

export function outcomeOf(model: Model, command: Command): Outcome {
  const { status } = model;
  if ('isLate' in command && command.isLate) return 'CONFLICT_VERSION';
  switch (command.kind) {
    case 'edit':
      return edited(model, command);
    case 'pushPrice':
      if (command.field !== fieldOf[model.agreement]) return wrongField;
      return judged(model, withPrice(model, command.price, true), true);
    case 'pushStock':
      return judged(model, withStock(model, command.stock), false, true);
    case 'submit':
      if (status === 'Rejected' && model.barcode === null) return 'Barcode';
      return ['Draft', 'Rejected', 'Withdrawn'].includes(status)
        ? to(model, inReview(model))
        : invalid;
    case 'withdraw':
      return status === 'Withdrawn' ? invalid : to(model, 'Withdrawn');
    case 'suspend':
      return status === 'Approved' ? to({ ...model, reviewReason }, 'Suspended') : invalid;
    case 'reinstate':
      return reinstated(model);
    case 'approve':
      return approved(model, command.match);
    case 'reject':
      return ['Draft', 'PendingMatch', 'PendingReview'].includes(status)
        ? to({ ...model, reviewReason }, 'Rejected')
        : invalid;
    case 'returnToReview':
      return status === 'Approved' || (status === 'Suspended' && sellsUnderAgreement(model))
        ? { ...to(model, 'PendingReview'), isPaused: true, reviewReason }
        : invalid;
    case 'applyPrice':
    case 'discardPrice':
      return settled(model, command.kind === 'applyPrice');
    case 'switchAgreement': {
      const agreement =
        model.agreement === 'CostPlusMargin' ? 'PercentageOfSale' : 'CostPlusMargin';
      const isRepriced = status === 'Approved' || status === 'PendingReview';
      return to({ ...model, agreement, staged: null }, isRepriced ? 'PendingRepricing' : status);
    }
    case 'follow':
      return model;
  }
}

/** The part of an offer that the model describes. */
export const modelOf = (offer: Offer) => ({
  status: offer.status,
  agreement: offer.pricingModel,
  variantId: offer.variantId,
  barcode: offer.barcode,
  vendorSku: offer.vendorSku,
  rawBrandName: offer.rawBrandName,
  wasApproved: offer.everApproved,
  /** An identity fact differs from what a reviewer approved. */
  isEdited: offer.identityChanged,
  live: { cost: offer.cost, salePrice: offer.salePrice },
  staged: offer.pricingModel === 'CostPlusMargin' ? offer.pendingCost : offer.pendingSalePrice,
  stock: [offer.declaredInStock, offer.declaredStockQuantity] as const,
  /** The agreement that it sells under; null, and paused, before its first approval. */
  sellsUnder: offer.supply?.pricingModel ?? null,
  isPaused: offer.supply?.isPaused ?? true,
  /** The reason of the last decision by staff. An approval has none. */
  reviewReason: offer.reviewReason,
});

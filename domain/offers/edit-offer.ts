import { barcodeMissing, lacksBarcode } from './barcode-rule.ts';
import { fieldError, invalidFields, ok, type FieldError, type Result } from '../errors.ts';
import type { Offer, OfferDescription } from './offer.ts';
import { moved, nextVersion, transitionOf } from './offer-change.ts';
import {
  checkPriceField,
  declarePrice,
  type PriceDeclaration,
  type PriceField,
} from './offer-prices.ts';
import type { OfferTrigger } from './offer-status.ts';
import { stockAfter, type StockDeclaration } from './stock.ts';

export type DeclaredPrice = { readonly field: PriceField; readonly declared: PriceDeclaration };

/** A partial update: a field that is not there keeps what is stored, null clears it. */
export type OfferEdit = {
  readonly description: Partial<OfferDescription>;
  /** At most one is of the agreement; any other is refused. */
  readonly prices: readonly DeclaredPrice[];
  /** The older form of the body only. */
  readonly stock: StockDeclaration | null;
};

export type EditContext = { readonly vatRateBasisPoints: number; readonly now: Date };

/** Product details whose change is an identity change (part 3); a barcode's replacement is one too (D26). */
const productDetails = [
  'vendorSku',
  'vendorExternalId',
  'rawBrandName',
  'rawProductName',
  'rawConcentration',
  'rawDescription',
  'rawSizeMl',
] as const;

/** Prices are made anew when they change, and only then. */
const priceFields = ['cost', 'pendingCost', 'salePrice', 'pendingSalePrice'] as const;

/** Names that an offer without a match cannot do without (D25). */
const neededUnmatched = ['rawBrandName', 'rawProductName'] as const;

/**
 * The offer after update-offer (part 4, D24 to D31, D62); the very same offer when nothing changes. Fails with
 * BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT, or VALIDATION_ERRORS on Barcode or a name that may not be blank.
 */
export function editOffer(offer: Offer, edit: OfferEdit, context: EditContext): Result<Offer> {
  for (const { field } of edit.prices) {
    const allowed = checkPriceField(offer.pricingModel, field);
    if (!allowed.ok) return allowed;
  }
  const blanks = neededUnmatched.filter(
    (name) => offer.variantId === null && edit.description[name] === null,
  );
  const faults = blanks.map((name) =>
    fieldError(name, 'required', 'must not be blank while the offer has no match'),
  );
  // What may not be blank is left as it was, so that the rest is judged by itself.
  const kept = Object.fromEntries(blanks.map((name) => [name, offer[name]]));
  const described: Offer = { ...offer, ...edit.description, ...kept };
  const [price] = edit.prices;
  const priced =
    price === undefined
      ? described
      : declarePrice(described, price.declared, 'edit', context.vatRateBasisPoints);
  const stocked = edit.stock === null ? priced : { ...priced, ...stockAfter(offer, edit.stock) };
  return finish(offer, stocked, { declaresPrice: price !== undefined, faults, now: context.now });
}

type Declared = {
  /** A stock push moves no status, whatever it finds; stock in an edit is a part of the edit. */
  readonly isStockPush?: boolean;
  readonly declaresPrice: boolean;
  /** What is wrong with it already. */
  readonly faults: readonly FieldError[];
  readonly now: Date;
};

/** Judges the barcode rule and moves the status by what has changed. */
function finish(
  before: Offer,
  after: Offer,
  { isStockPush = false, declaresPrice, faults, now }: Declared,
): Result<Offer> {
  const changes = changesBetween(before, after);
  // A price that is the same as before still answers the call for a new one (D29).
  const reprices = declaresPrice && before.status === 'PendingRepricing';
  if (!changes.changesAnything && !reprices && faults.length === 0) return ok(before);

  const allFaults = lacksBarcode(after, { ...changes, declaresPrice })
    ? [...faults, barcodeMissing]
    : faults;
  if (allFaults.length > 0) return invalidFields(allFaults);
  const triggers: readonly OfferTrigger[] = [
    ...(isStockPush ? [] : (['edit'] as const)),
    ...(changes.changesIdentity ? (['changeIdentity'] as const) : []),
    ...(changes.changesPrice || reprices ? (['declarePrice'] as const) : []),
  ];
  // The first that moves it: an identity change outranks a price on a live offer (D31).
  const transition = triggers
    .map((trigger) => transitionOf(before, trigger))
    .find((row) => row !== null);
  const identityChanged =
    before.identityChanged || (before.everApproved && changes.changesIdentity);
  const result = {
    ...(transition === undefined ? after : moved(after, transition)),
    identityChanged,
  };
  return ok(nextVersion(before, result, now));
}

/** What of an offer is different. */
function changesBetween(before: Offer, after: Offer) {
  const changesProductDetails = productDetails.some((name) => before[name] !== after[name]);
  const replacesBarcode = before.barcode !== null && before.barcode !== after.barcode;
  const changesPrice = priceFields.some((name) => before[name] !== after[name]);
  const changesStock =
    before.declaredInStock !== after.declaredInStock ||
    before.declaredStockQuantity !== after.declaredStockQuantity;
  return {
    changesProductDetails,
    changesIdentity: changesProductDetails || replacesBarcode,
    changesPrice,
    changesAnything:
      changesProductDetails || changesPrice || changesStock || before.barcode !== after.barcode,
  };
}

/**
 * The offer after a cost or sale-price push (part 4, D27, D33): the same pipeline as an edit of that field alone, except
 * that the live value sent again discards a staged one (D19).
 */
export function pushPrice(
  offer: Offer,
  { field, declared }: DeclaredPrice,
  { vatRateBasisPoints, now }: EditContext,
): Result<Offer> {
  const allowed = checkPriceField(offer.pricingModel, field);
  if (!allowed.ok) return allowed;
  const priced = declarePrice(offer, declared, 'push', vatRateBasisPoints);
  return finish(offer, priced, { declaresPrice: true, faults: [], now });
}

/**
 * The offer after a stock push (part 4, D27, D27a): applied at once, never a move of the status. `db/offers/store-stock.ts` says the
 * same in one statement. Fails with VALIDATION_ERRORS on Barcode.
 */
export function pushStock(offer: Offer, stock: StockDeclaration, now: Date): Result<Offer> {
  const stocked = { ...offer, ...stockAfter(offer, stock) };
  return finish(offer, stocked, { isStockPush: true, declaresPrice: false, faults: [], now });
}

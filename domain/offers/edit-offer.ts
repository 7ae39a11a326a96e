import { fieldError, invalid, ok, type FieldError, type Result } from '../errors.ts';
import { barcodeMissing, lacksBarcode } from './barcode-rule.ts';
import { isSameGtin } from './gtin.ts';
import { priceFields, productDetails, type Offer, type OfferDescription } from './offer.ts';
import { applyTransition, nextVersion, transitionOf } from './offer-change.ts';
import {
  checkOlderForm,
  checkPriceField,
  declarePrice,
  type PriceDeclaration,
  type PriceField,
} from './offer-prices.ts';
import type { OfferTrigger } from './offer-status.ts';
import { stockAfter, type Stock, type StockDeclaration } from './stock.ts';

export type DeclaredPrice = { readonly field: PriceField; readonly declared: PriceDeclaration };

export const declaredPrice = (
  field: PriceField,
  amountHalalas: number,
  isVatInclusive: boolean,
): DeclaredPrice => ({ field, declared: { amountHalalas, isVatInclusive } });

/** A partial update: an absent field keeps the stored value, null clears it. */
export type OfferEdit = {
  readonly description: Partial<OfferDescription>;
  /** A price of the other pricing model is refused. */
  readonly prices: readonly DeclaredPrice[];
  /** The older form of the body, which has no sale price. */
  readonly isOlderForm?: boolean;
  /** The older form only; null where it declares none. */
  readonly stock: StockDeclaration | null;
};

export type EditContext = { readonly vatRateBasisPoints: number; readonly now: Date };

const isZero = ({ declared }: DeclaredPrice): boolean => declared.amountHalalas === 0;

/**
 * Whether a declared 0 is the stored amount, which a client may send back as it read it. It
 * declares no price of the model, so the edit is one without it.
 */
const repeatsZero = (offer: Offer, price: DeclaredPrice): boolean =>
  isZero(price) && offer[price.field]?.netHalalas === 0;

/** Names that an offer without a match requires. */
const requiredUnmatched = ['rawBrandName', 'rawProductName'] as const;

/**
 * The offer after update-offer (part 4, D24 to D31, D62); the same object when nothing changes.
 * Fails with BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT, or VALIDATION_ERRORS on Barcode or on a
 * name that must not be blank.
 */
export function editOffer(offer: Offer, edit: OfferEdit, context: EditContext): Result<Offer> {
  const form = edit.isOlderForm === true ? checkOlderForm(offer.pricingModel) : ok(null);
  if (!form.ok) return form;
  for (const { field } of edit.prices) {
    const allowed = checkPriceField(offer.pricingModel, field);
    if (!allowed.ok) return allowed;
  }
  const blanks = requiredUnmatched.filter(
    (name) => offer.variantId === null && edit.description[name] === null,
  );
  const prices = edit.prices.filter((declared) => !repeatsZero(offer, declared));
  const errors = [
    ...blanks.map((name) =>
      fieldError(name, 'required', 'must not be blank while the offer has no match'),
    ),
    ...prices
      .filter(isZero)
      .map(({ field }) =>
        fieldError(field, 'invalid_amount', 'must be above 0, unless the stored one is 0'),
      ),
  ];
  // A refused blank keeps the stored name, so that the barcode rule judges the rest of the edit.
  const storedNames = Object.fromEntries(blanks.map((name) => [name, offer[name]]));
  const described: Offer = { ...offer, ...edit.description, ...storedNames };
  const [price] = prices;
  const priced =
    price === undefined
      ? described
      : declarePrice(described, price.declared, 'edit', context.vatRateBasisPoints);
  const stocked = edit.stock === null ? priced : { ...priced, ...stockAfter(offer, edit.stock) };
  const declared = { declaresPrice: price !== undefined, errors, now: context.now };
  return completeEdit(offer, stocked, declared);
}

/**
 * The offer after a cost or sale-price push (part 4, D27, D33): like an edit of that field alone,
 * except that pushing the live price again drops a staged one.
 */
export function pushPrice(
  offer: Offer,
  { field, declared }: DeclaredPrice,
  { vatRateBasisPoints, now }: EditContext,
): Result<Offer> {
  const allowed = checkPriceField(offer.pricingModel, field);
  if (!allowed.ok) return allowed;
  const priced = declarePrice(offer, declared, 'push', vatRateBasisPoints);
  return completeEdit(offer, priced, { declaresPrice: true, now });
}

/**
 * The offer after a stock push (part 4, D27, D27a): it takes effect at once and never changes the
 * status. `db/offers/store-push.ts` does the same in one statement. Fails with VALIDATION_ERRORS
 * on Barcode.
 */
export function pushStock(offer: Offer, stock: StockDeclaration, now: Date): Result<Offer> {
  const stocked = { ...offer, ...stockAfter(offer, stock) };
  return completeEdit(offer, stocked, { isStockPush: true, declaresPrice: false, now });
}

/** The facts that a vendor declares, which a job may restore. */
export type RestorableFacts = OfferDescription &
  Pick<Offer, (typeof priceFields)[number] | keyof Stock>;

const stockFields: readonly (keyof Stock)[] = ['declaredInStock', 'declaredStockQuantity'];

const barcodeStays = fieldError('barcode', 'invalid_barcode', 'cannot be cleared');

/**
 * The offer with facts that it had before, by the rules of an edit: it may return to review. A
 * first barcode stays, because a barcode is replaced but never cleared. Fails with
 * VALIDATION_ERRORS on Barcode if there is nothing else to restore.
 */
export function restoreFacts(
  offer: Offer,
  { barcode, ...others }: Partial<RestorableFacts>,
  now: Date,
): Result<Offer> {
  const facts = typeof barcode === 'string' ? { ...others, barcode } : others;
  const names = Object.keys(facts);
  if (barcode === null && names.length === 0) return invalid(barcodeStays);
  return completeEdit(
    offer,
    { ...offer, ...facts },
    {
      isStockPush: names.every((name) => (stockFields as readonly string[]).includes(name)),
      declaresPrice: priceFields.some((name) => names.includes(name)),
      now,
    },
  );
}

type Declared = {
  readonly isStockPush?: boolean;
  readonly declaresPrice: boolean;
  /** Errors found before. */
  readonly errors?: readonly FieldError[];
  readonly now: Date;
};

/** The offer with its stored barcode where another text of the same GTIN was declared. */
const withStoredGtin = (before: Offer, after: Offer): Offer =>
  before.barcode !== after.barcode && isSameGtin(before.barcode, after.barcode)
    ? { ...after, barcode: before.barcode }
    : after;

/** Applies the barcode rule, and moves the status by what has changed. */
function completeEdit(
  before: Offer,
  declared: Offer,
  { isStockPush = false, declaresPrice, errors = [], now }: Declared,
): Result<Offer> {
  const after = withStoredGtin(before, declared);
  const changes = changesBetween(before, after);
  // The new model's price resubmits the offer even with an unchanged value.
  const reprices = declaresPrice && before.status === 'PendingRepricing';
  if (!changes.changesAnything && !reprices && errors.length === 0) return ok(before);
  const allErrors = lacksBarcode(after, { ...changes, declaresPrice })
    ? [...errors, barcodeMissing]
    : errors;
  if (allErrors.length > 0) return invalid(...allErrors);
  const triggers: readonly OfferTrigger[] = [
    ...(isStockPush ? [] : (['edit'] as const)),
    ...(changes.changesIdentity ? (['changeIdentity'] as const) : []),
    ...(changes.changesPrice || reprices ? (['declarePrice'] as const) : []),
  ];
  // The first trigger with a row wins: an identity change outranks a price on a live offer.
  const [transition] = triggers.flatMap((trigger) => transitionOf(before, trigger) ?? []);
  const identityChanged =
    before.identityChanged || (before.everApproved && changes.changesIdentity);
  const moved = transition === undefined ? after : applyTransition(after, transition);
  return ok(nextVersion(before, { ...moved, identityChanged }, now));
}

function changesBetween(before: Offer, after: Offer) {
  const isChanged = (name: keyof Offer) => before[name] !== after[name];
  const changesProductDetails = productDetails.some(isChanged);
  const changesPrice = priceFields.some(isChanged);
  const others = ['barcode', 'declaredInStock', 'declaredStockQuantity'] as const;
  return {
    changesProductDetails,
    changesIdentity: changesProductDetails || (before.barcode !== null && isChanged('barcode')),
    changesPrice,
    changesAnything: changesProductDetails || changesPrice || others.some(isChanged),
  };
}

import type { PricingModel } from '../accounts/agreement.ts';
import { fail, fieldError, invalid, ok, type Result } from '../errors.ts';
import type { Offer, OfferDescription, OfferSource, Variant } from './offer.ts';
import { findTransition, statusesInReview } from './offer-status.ts';
import { initialStock } from './stock.ts';
import { priceFromDeclaration } from '../vat.ts';

/** What a vendor declares when it creates an offer; shape, lengths and stock are checked, amounts are halalas. */
export type OfferDeclaration = OfferDescription & {
  readonly variantId: string | null;
  readonly costHalalas: number;
  readonly costIsVatInclusive: boolean;
  readonly salePriceHalalas: number | null;
  readonly salePriceIsVatInclusive: boolean | null;
  readonly declaredStockQuantity: number | null;
  readonly declaredInStock: boolean | null;
  readonly saveAsDraft: boolean;
};

/** What the rules need to know besides the declaration. */
export type CreationContext = {
  readonly id: string;
  readonly vendorId: string;
  readonly pricingModel: PricingModel;
  readonly agreementEpoch: number;
  readonly source: OfferSource;
  /** The variant that the declaration names; null when there is none of that id. */
  readonly variant: Variant | null;
  readonly vatRateBasisPoints: number;
  readonly now: Date;
};

/**
 * The offer that a declaration makes (part 4, POST offers; D20, D22).
 * Fails with VALIDATION_ERRORS (VariantId) or
 * BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT (a sale price under Model 1).
 */
export function createOffer(
  declaration: OfferDeclaration,
  context: CreationContext,
): Result<Offer> {
  const { variant, vatRateBasisPoints, now } = context;
  if (declaration.variantId !== null && variant?.isActive !== true) {
    return invalid(fieldError('variantId', 'unknown_variant', 'names no active variant'));
  }
  if (declaration.salePriceHalalas !== null && context.pricingModel === 'CostPlusMargin') {
    return fail('BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT', { field: 'SalePrice' });
  }
  const trigger = declaration.saveAsDraft ? 'createDraft' : 'create';
  const transition = findTransition('(none)', trigger, {
    isMatched: variant !== null,
    isAgreementSwitched: false,
    isIdentityChanged: false,
  });
  if (transition === null) throw new Error(`the offer table has no row for ${trigger}`);
  const status = transition.to;
  return ok({
    ...description(declaration, variant),
    ...initialStock(declaration.declaredInStock, declaration.declaredStockQuantity),
    id: context.id,
    vendorId: context.vendorId,
    status,
    source: context.source,
    pricingModel: context.pricingModel,
    variantId: variant?.id ?? null,
    cost: priceFromDeclaration(
      declaration.costHalalas,
      declaration.costIsVatInclusive,
      vatRateBasisPoints,
    ),
    pendingCost: null,
    salePrice:
      declaration.salePriceHalalas === null
        ? null
        : priceFromDeclaration(
            declaration.salePriceHalalas,
            declaration.salePriceIsVatInclusive === true,
            vatRateBasisPoints,
          ),
    pendingSalePrice: null,
    everApproved: false,
    identityChanged: false,
    awaitingSince: statusesInReview.includes(status) ? now : null,
    reviewedAt: null,
    reviewReason: null,
    supply: null,
    agreementEpoch: context.agreementEpoch,
    version: 1,
    createdAt: now,
    changedAt: now,
  });
}

/** A matched variant's barcode is used when none is sent (D22). */
const description = (declaration: OfferDeclaration, variant: Variant | null): OfferDescription => ({
  vendorSku: declaration.vendorSku,
  vendorExternalId: declaration.vendorExternalId,
  barcode: declaration.barcode ?? variant?.barcode ?? null,
  rawBrandName: declaration.rawBrandName,
  rawProductName: declaration.rawProductName,
  rawConcentration: declaration.rawConcentration,
  rawDescription: declaration.rawDescription,
  rawSizeMl: declaration.rawSizeMl,
});

import { fieldError, invalid, ok, type Result } from '../errors.ts';
import type { Offer, OfferDescription, OfferSource, OfferStatus, Variant } from './offer.ts';
import { checkPriceField } from './offer-prices.ts';
import { findTransition, statusesInReview } from './offer-status.ts';
import { initialStock } from './stock.ts';
import { priceFromDeclaration } from '../vat.ts';

/** A checked declaration of a new offer. */
export type OfferDeclaration = OfferDescription & {
  readonly variantId: string | null;
  /** 0 only under Model 2, where the cost is information (D76). */
  readonly costHalalas: number;
  readonly costIsVatInclusive: boolean;
  readonly salePriceHalalas: number | null;
  readonly salePriceIsVatInclusive: boolean | null;
  readonly declaredStockQuantity: number | null;
  readonly declaredInStock: boolean | null;
  readonly saveAsDraft: boolean;
};

/** What a new offer copies from its vendor's agreement. */
export type CreationAgreement = Pick<Offer, 'pricingModel' | 'agreementEpoch' | 'agreementVersion'>;

/** What the rules need besides the declaration. */
export type CreationContext = CreationAgreement & {
  readonly id: string;
  readonly vendorId: string;
  readonly source: OfferSource;
  /** The variant that the declaration names; null when it does not exist. */
  readonly variant: Variant | null;
  readonly vatRateBasisPoints: number;
  readonly now: Date;
};

/**
 * The new offer of a declaration (part 4, POST offers; D20, D22, D76). Fails with VALIDATION_ERRORS
 * on VariantId or Cost, or BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT for a sale price under
 * Model 1.
 */
export function createOffer(
  declaration: OfferDeclaration,
  context: CreationContext,
): Result<Offer> {
  const { variant, pricingModel } = context;
  const { variantId, costHalalas, salePriceHalalas, saveAsDraft } = declaration;
  const errors = [
    ...(variantId !== null && variant?.isActive !== true
      ? [fieldError('variantId', 'unknown_variant', 'must be an active variant')]
      : []),
    ...(costHalalas === 0 && pricingModel === 'CostPlusMargin'
      ? [fieldError('cost', 'invalid_amount', 'must be above 0 under CostPlusMargin')]
      : []),
  ];
  if (errors.length > 0) return invalid(...errors);
  const field = salePriceHalalas === null ? ok(null) : checkPriceField(pricingModel, 'salePrice');
  if (!field.ok) return field;
  const trigger = saveAsDraft ? 'createDraft' : 'create';
  const transition = findTransition('(none)', trigger, {
    isMatched: variant !== null,
    isAgreementSwitched: false,
    isIdentityChanged: false,
  });
  if (transition === null) throw new Error(`the offer table has no row for ${trigger}`);
  return ok(newOffer(declaration, context, transition.to));
}

/** Names each field, because V8 takes about 30 times as long to add fields after a spread. */
function newOffer(
  declaration: OfferDeclaration,
  context: CreationContext,
  status: OfferStatus,
): Offer {
  const { variant, vatRateBasisPoints, now } = context;
  const { costHalalas, salePriceHalalas } = declaration;
  const stock = initialStock(declaration);
  const priceOf = (halalas: number, isVatInclusive: boolean) =>
    priceFromDeclaration(halalas, isVatInclusive, vatRateBasisPoints);
  return {
    id: context.id,
    vendorId: context.vendorId,
    status,
    source: context.source,
    pricingModel: context.pricingModel,
    agreementEpoch: context.agreementEpoch,
    agreementVersion: context.agreementVersion,
    variantId: variant?.id ?? null,
    vendorSku: declaration.vendorSku,
    vendorExternalId: declaration.vendorExternalId,
    // Without a barcode of its own, a matched offer takes its variant's.
    barcode: declaration.barcode ?? variant?.barcode ?? null,
    rawBrandName: declaration.rawBrandName,
    rawProductName: declaration.rawProductName,
    rawConcentration: declaration.rawConcentration,
    rawDescription: declaration.rawDescription,
    rawSizeMl: declaration.rawSizeMl,
    declaredStockQuantity: stock.declaredStockQuantity,
    declaredInStock: stock.declaredInStock,
    cost: priceOf(costHalalas, declaration.costIsVatInclusive),
    pendingCost: null,
    salePrice:
      salePriceHalalas === null
        ? null
        : priceOf(salePriceHalalas, declaration.salePriceIsVatInclusive === true),
    pendingSalePrice: null,
    everApproved: false,
    identityChanged: false,
    awaitingSince: statusesInReview.includes(status) ? now : null,
    reviewedAt: null,
    reviewReason: null,
    supply: null,
    version: 1,
    judgedVersion: 1,
    createdAt: now,
    changedAt: now,
  };
}

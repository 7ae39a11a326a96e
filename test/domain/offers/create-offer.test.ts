import { expect, test } from 'vitest';
import {
  createOffer,
  type CreationContext,
  type OfferDeclaration,
} from '../../../domain/offers/create-offer.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import {
  context,
  declaration,
  expectFailure,
  expectValue,
  now,
  offer,
  price,
  variant,
} from './offer-builders.ts';

// The model in `model/` has the status of each new offer.

test('stores what is declared, at version 1, never approved, with nothing staged', () => {
  const given = declaration({
    vendorSku: 'V-1',
    vendorExternalId: 'key',
    rawConcentration: 'EDP',
    rawDescription: 'A scent',
    rawSizeMl: 100,
    declaredStockQuantity: 4,
    costHalalas: 100_000,
    costIsVatInclusive: true,
  });
  const stored = offer({
    status: 'PendingMatch',
    source: 'Manual',
    variantId: null,
    vendorSku: 'V-1',
    rawConcentration: 'EDP',
    rawDescription: 'A scent',
    rawSizeMl: 100,
    cost: price(86_957, 13_043, true),
    declaredStockQuantity: 4,
    awaitingSince: now,
    version: 1,
    judgedVersion: 1,
    createdAt: now,
    changedAt: now,
  });
  expect(expectValue(createOffer(given, context({ source: 'Manual' })))).toEqual(stored);
});

const sale = { salePriceHalalas: 11_500, salePriceIsVatInclusive: true };
const named = { variantId: variant.id };
const unknownVariant = { field: 'VariantId', path: '/variantId', code: 'unknown_variant' };
const invalidCost = { field: 'Cost', path: '/cost', code: 'invalid_amount' };

test.each<[Partial<OfferDeclaration>, Partial<CreationContext>, object]>([
  [named, { variant: null }, { errors: [unknownVariant] }],
  [named, { variant: { ...variant, isActive: false } }, { errors: [unknownVariant] }],
  [{ costHalalas: 0 }, {}, { errors: [invalidCost] }],
  [{ ...named, costHalalas: 0 }, {}, { errors: [unknownVariant, invalidCost] }],
  [sale, {}, { field: 'SalePrice' }],
  [{ ...sale, saveAsDraft: true }, {}, { field: 'SalePrice' }],
])('refuses %j with %j: %j', (given, known, details) => {
  const failure = expectFailure(createOffer(declaration(given), context(known)));
  expect(failure).toMatchObject({
    code: 'field' in details ? 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT' : 'VALIDATION_ERRORS',
    details,
  });
});

const model2 = { pricingModel: 'PercentageOfSale' } as const;
const other = { ...named, barcode: '96385074' };

test.each<[Partial<OfferDeclaration>, Partial<CreationContext>, Partial<Offer>]>([
  // Model 2 keeps the cost as information, which may be 0 (D76).
  [sale, model2, { ...model2, salePrice: price(10_000, 1500, true), cost: price(10_000, 1500) }],
  [{ costHalalas: 0 }, model2, { cost: price(0, 0), salePrice: null }],
  [{}, { vatRateBasisPoints: 500 }, { cost: price(10_000, 500) }],
  // A matched offer takes the barcode of its variant, if it has none of its own.
  [named, { variant }, { barcode: variant.barcode }],
  [other, { variant }, { barcode: '96385074' }],
  [{}, {}, { barcode: null }],
])('stores %j with %j as %j', (given, known, stored) => {
  expect(expectValue(createOffer(declaration(given), context(known)))).toMatchObject(stored);
});

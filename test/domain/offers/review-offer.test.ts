import { expect, test } from 'vitest';
import type { Offer, Variant } from '../../../domain/offers/offer.ts';
import { reviewOffer } from '../../../domain/offers/review-offer.ts';
import { expectFailure, now, offer, price, variant } from './offer-builders.ts';

// The model in `model/` has the outcome and the written values for each kind of offer. Here are the
// details of refusals.

const failureOf = (given: Partial<Offer>, variantId: string | null, found: Variant | null) =>
  expectFailure(
    reviewOffer(
      offer(given),
      { action: 'approve', variantId, expectedVersion: null },
      { variant: found, newSupplyOptionId: 'option-2', now },
    ),
  );

test.each([
  [null, null, null, 'required'],
  [null, 'v', null, 'unknown_variant'],
  ['v', null, { ...variant, isActive: false }, 'unknown_variant'],
])('refuses to approve match %s with %s, which is %j: %s', (match, named, found, code) => {
  const status = match === null ? 'PendingMatch' : 'PendingReview';
  expect(failureOf({ variantId: match, status }, named, found)).toMatchObject({
    code: 'VALIDATION_ERRORS',
    details: { errors: [{ field: 'VariantId', path: '/variantId', code }] },
  });
});

test.each([
  [{ pricingModel: 'PercentageOfSale' } as const, 'SalePrice'],
  [{ cost: price(0, 0) }, 'Cost'],
])('requires a price above 0 to approve %j: %s (D76)', (given, field) => {
  expect(failureOf(given, null, variant)).toEqual({
    code: 'BUSINESS_OFFER_PRICE_REQUIRED',
    details: { field },
  });
});

import { expect, test } from 'vitest';
import { offerStatuses, type Offer, type Variant } from '../../../domain/offers/offer.ts';
import {
  decisionOf,
  reviewOffer,
  variantIdAfter,
  type ReviewCommand,
} from '../../../domain/offers/review-offer.ts';
import {
  deepFrozen,
  expectFailure,
  expectValue,
  now,
  offer,
  offerIn,
  offerOnceApproved,
  price,
  variant,
} from './offer-builders.ts';

// The model in `model/` has the outcome and the written values for each kind of offer. Here is what
// it leaves out: other matches, and the details of refusals.

const staged = price(9000, 1350);
const approve = { action: 'approve', variantId: null, expectedVersion: null } as const;
const reject = { action: 'reject', reason: 'No.', expectedVersion: null } as const;
const apply = { action: 'applyPrice', reason: null, expectedVersion: null } as const;
const discard = { action: 'discardPrice', reason: 'Too high.', expectedVersion: null } as const;

const review = (given: Offer, command: ReviewCommand, found: Variant | null = variant) =>
  reviewOffer(deepFrozen(given), command, {
    variant: found,
    newSupplyOptionId: 'option-2',
    now,
  });
const reviewed = (given: Offer, command: ReviewCommand, found: Variant | null = variant): Offer =>
  expectValue(review(given, command, found));

test('a decision on another version is refused before anything else (D83)', () => {
  for (const command of [approve, reject, apply, discard]) {
    for (const status of offerStatuses) {
      const given = offerIn(status, { agreementVersion: 1 });
      expect(expectFailure(review(given, { ...command, expectedVersion: 3 }))).toEqual({
        code: 'CONFLICT_VERSION',
        details: { expectedVersion: 3, reviewVersion: 4 },
      });
    }
    const given = offerOnceApproved('PendingReview', { pendingCost: staged });
    expect(review(given, { ...command, expectedVersion: 3 }).ok).toBe(true);
  }
});

const inactive = { ...variant, isActive: false };

test.each([
  { match: null, command: approve, found: null, code: 'required' },
  { match: null, command: { ...approve, variantId: 'v' }, found: null, code: 'unknown_variant' },
  {
    match: null,
    command: { ...approve, variantId: 'v' },
    found: inactive,
    code: 'unknown_variant',
  },
  { match: 'v', command: { ...approve, variantId: 'v' }, found: null, code: 'unknown_variant' },
  { match: 'v', command: approve, found: inactive, code: 'unknown_variant' },
])('approval of match $match with $found is refused: $code', ({ match, command, found, code }) => {
  const given = offer({
    variantId: match,
    status: match === null ? 'PendingMatch' : 'PendingReview',
  });
  expect(expectFailure(review(given, command, found))).toMatchObject({
    code: 'VALIDATION_ERRORS',
    details: { errors: [{ field: 'VariantId', path: '/variantId', code }] },
  });
  expect(review(given, reject, found).ok).toBe(true);
});

test('a match at approval replaces the proposed one, and brings a barcode if there is none', () => {
  const other = { ...variant, id: 'variant-2', barcode: '036000291452' };
  const command = { ...approve, variantId: other.id };
  expect(reviewed(offer(), command, other)).toMatchObject({
    variantId: 'variant-2',
    barcode: '036000291452',
  });
  expect(reviewed(offer({ barcode: '96385074' }), command, other).barcode).toBe('96385074');
  expect(reviewed(offer(), approve, { ...variant, barcode: null }).barcode).toBeNull();
  expect(variantIdAfter(offer(), command)).toBe('variant-2');
  expect(variantIdAfter(offer(), approve)).toBe(variant.id);
  expect(variantIdAfter(offer(), reject)).toBe(variant.id);
});

const model2 = { pricingModel: 'PercentageOfSale' } as const;

test.each([
  { given: model2, field: 'SalePrice' },
  { given: { cost: price(0, 0) }, field: 'Cost' },
])('approval needs a price above 0: $field (D76)', ({ given, field }) => {
  expect(expectFailure(review(offer(given), approve))).toEqual({
    code: 'BUSINESS_OFFER_PRICE_REQUIRED',
    details: { field },
  });
});

test('the vendor reads each decision by its own name', () => {
  expect(decisionOf).toEqual({
    approve: 'Approved',
    reject: 'Rejected',
    applyPrice: 'PriceApplied',
    discardPrice: 'PriceDiscarded',
    returnToReview: 'ReturnedToReview',
  });
});

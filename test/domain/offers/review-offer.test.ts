import { expect, test } from 'vitest';
import { offerStatuses, type Variant } from '../../../domain/offers/offer.ts';
import { reviewOffer, type ReviewCommand } from '../../../domain/offers/review-offer.ts';
import { expectFailure, expectValue, now, offer, variant } from './offer-builders.ts';

const approve = { action: 'approve', variantId: null, expectedVersion: null } as const;
const reject = { action: 'reject', reason: 'No.', expectedVersion: null } as const;
const staged = { netHalalas: 9000, vatHalalas: 1350, enteredVatInclusive: false };

const inContext = (found: Variant | null) => ({
  variant: found,
  newSupplyOptionId: 'option-1',
  now,
});

const review = (given: Parameters<typeof offer>[0], command: ReviewCommand, found = variant) =>
  reviewOffer(offer(given), command, inContext(found));

test('approval makes an offer live and reviewed, ends the wait and raises its version by 1', () => {
  const after = expectValue(review({ reviewReason: 'earlier' }, approve));
  expect(after).toEqual({
    ...offer(),
    status: 'Approved',
    barcode: variant.barcode,
    everApproved: true,
    supply: { optionId: 'option-1', isPaused: false, pricingModel: 'CostPlusMargin' },
    awaitingSince: null,
    reviewedAt: now,
    reviewReason: null,
    version: 4,
    // The approval has brought the variant's barcode (D83).
    judgedVersion: 4,
    changedAt: now,
  });
});

test('rejection keeps everything but the status, the reason and who is awaited', () => {
  const after = expectValue(review({ pendingCost: staged }, reject));
  expect(after).toEqual({
    ...offer({ pendingCost: staged }),
    status: 'Rejected',
    awaitingSince: null,
    reviewedAt: now,
    reviewReason: 'No.',
    version: 4,
    changedAt: now,
  });
});

const allowed = {
  approve: ['PendingMatch', 'PendingReview'],
  reject: ['Draft', 'PendingMatch', 'PendingReview'],
};
const cells = offerStatuses.flatMap((status) => [
  { status, command: approve },
  { status, command: reject },
]);

test.each(cells)('$command.action from $status is allowed or refused as the table says', (cell) => {
  const { status, command } = cell;
  const result = review({ status }, command);
  if (allowed[command.action].includes(status)) {
    expect(result.ok).toBe(true);
    return;
  }
  expect(expectFailure(result)).toEqual({
    code: 'BUSINESS_OFFER_INVALID_TRANSITION',
    details: { status, action: command.action },
  });
});

test('a decision on another version is refused before anything else is judged', () => {
  for (const command of [approve, reject]) {
    const late = { ...command, expectedVersion: 2 };
    expect(expectFailure(review({ status: 'Withdrawn' }, late))).toEqual({
      code: 'CONFLICT_VERSION',
      details: { expectedVersion: 2, reviewVersion: 3 },
    });
    expect(review({}, { ...command, expectedVersion: 3 }).ok).toBe(true);
  }
});

test('approving an unmatched offer asks for a match', () => {
  const unmatched = offer({ status: 'PendingMatch', variantId: null });
  expect(expectFailure(reviewOffer(unmatched, approve, inContext(null)))).toMatchObject({
    code: 'VALIDATION_ERRORS',
    details: { errors: [{ field: 'VariantId', code: 'required' }] },
  });
});

test.each([
  ['unknown', null],
  ['inactive', { ...variant, isActive: false }],
])('a match to an %s variant is refused', (_what, found) => {
  const command = { ...approve, variantId: variant.id };
  for (const variantId of [null, variant.id]) {
    const given = offer({
      variantId,
      status: variantId === null ? 'PendingMatch' : 'PendingReview',
    });
    expect(expectFailure(reviewOffer(given, command, inContext(found)))).toMatchObject({
      code: 'VALIDATION_ERRORS',
      details: { errors: [{ field: 'VariantId', code: 'unknown_variant' }] },
    });
  }
});

test('an offer whose own match became inactive cannot be approved, and can be rejected', () => {
  const inactive = { ...variant, isActive: false };
  expect(review({}, approve, inactive).ok).toBe(false);
  expect(review({}, reject, inactive).ok).toBe(true);
});

test('a re-match at approval replaces the proposed one', () => {
  const other = { ...variant, id: 'variant-2' };
  const after = expectValue(review({}, { ...approve, variantId: other.id }, other));
  expect(after.variantId).toBe('variant-2');
});

test('a match brings its barcode only when the offer has none', () => {
  expect(expectValue(review({ barcode: '96385074' }, approve)).barcode).toBe('96385074');
  const withoutOne = { ...variant, barcode: null };
  expect(expectValue(review({}, approve, withoutOne)).barcode).toBeNull();
});

test('approval makes a staged price live; a rejection leaves it staged', () => {
  const cost = { pendingCost: staged };
  expect(expectValue(review(cost, approve))).toMatchObject({ cost: staged, pendingCost: null });
  expect(expectValue(review(cost, reject))).toMatchObject(cost);
  const sale = { pricingModel: 'PercentageOfSale', pendingSalePrice: staged } as const;
  expect(expectValue(review(sale, approve))).toMatchObject({
    salePrice: staged,
    pendingSalePrice: null,
  });
  expect(expectValue(review(sale, reject))).toMatchObject(sale);
});

test('Model 2 is not approved without a sale price, live or staged', () => {
  const given = { pricingModel: 'PercentageOfSale' } as const;
  expect(expectFailure(review(given, approve))).toEqual({
    code: 'BUSINESS_OFFER_PRICE_REQUIRED',
    details: { field: 'SalePrice' },
  });
  expect(review(given, reject).ok).toBe(true);
  expect(review({ ...given, salePrice: staged }, approve).ok).toBe(true);
  expect(expectValue(review({ ...given, pendingSalePrice: staged }, approve)).salePrice).toEqual(
    staged,
  );
});

test('a refused decision changes nothing', () => {
  const given = Object.freeze(offer({ status: 'Approved' }));
  expect(reviewOffer(given, approve, inContext(variant)).ok).toBe(false);
  expect(given).toEqual(offer({ status: 'Approved' }));
});

import { expect, test } from 'vitest';
import { moveOffer } from '../../../domain/offers/move-offer.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import {
  decisionOf,
  reviewOffer,
  type ReviewCommand,
} from '../../../domain/offers/review-offer.ts';
import {
  changedTo,
  deepFrozen,
  expectFailure,
  expectValue,
  now,
  offerIn,
  offerOnceApproved,
  price,
  statusesNeverApproved,
  statusesOnceApproved,
  supply,
  variant,
} from './offer-builders.ts';

const staged = price(9000, 1350);
const earlier = new Date('2026-02-02T00:00:00.000Z');
const apply = { action: 'applyPrice', reason: null, expectedVersion: null } as const;
const discard = { action: 'discardPrice', reason: 'Too dear.', expectedVersion: null } as const;
const approve = { action: 'approve', variantId: null, expectedVersion: null } as const;
const reject = { action: 'reject', reason: 'No.', expectedVersion: null } as const;

/** The prices of either agreement: which field is live, which is staged. */
const models = [
  { model: 'CostPlusMargin', field: 'cost', pending: 'pendingCost' },
  { model: 'PercentageOfSale', field: 'salePrice', pending: 'pendingSalePrice' },
] as const;
const cells = statusesOnceApproved.flatMap((status) =>
  models.map((prices) => ({ status, ...prices })),
);

const review = (given: Offer, command: ReviewCommand) =>
  reviewOffer(deepFrozen(given), command, { variant, newSupplyOptionId: 'option-2', now });
const reviewed = (given: Offer, command: ReviewCommand): Offer =>
  expectValue(review(given, command));

const withStaged = ({ status, model, pending }: (typeof cells)[number]): Offer => {
  const isAwaited = status === 'Approved' || status === 'PendingReview';
  const shape = offerOnceApproved(status, {
    pricingModel: model,
    salePrice: price(20_000, 3000),
    [pending]: staged,
    awaitingSince: isAwaited ? earlier : null,
    reviewReason: 'Earlier.',
  });
  return {
    ...shape,
    supply: shape.supply === null ? null : { ...shape.supply, pricingModel: model },
  };
};
const decided = (given: Offer, change: Partial<Offer>): Offer => ({
  ...changedTo(given, change),
  awaitingSince: given.status === 'PendingReview' ? earlier : null,
  reviewedAt: now,
});

test.each(cells)(
  'applying makes the staged $field of a $status offer live and moves nothing',
  (cell) => {
    const given = withStaged(cell);
    expect(reviewed(given, apply)).toEqual(
      decided(given, { [cell.field]: staged, [cell.pending]: null, reviewReason: null }),
    );
  },
);

test.each(cells)(
  'discarding drops the staged $field of a $status offer and keeps the live one',
  (cell) => {
    const given = withStaged(cell);
    expect(reviewed(given, discard)).toEqual(
      decided(given, { [cell.pending]: null, reviewReason: 'Too dear.' }),
    );
  },
);

test('a live sale price that never was stays absent when the staged one is discarded', () => {
  const given = offerOnceApproved('PendingReview', {
    pricingModel: 'PercentageOfSale',
    pendingSalePrice: staged,
  });
  expect(reviewed(given, discard)).toMatchObject({ salePrice: null, pendingSalePrice: null });
  expect(reviewed(given, apply)).toMatchObject({ salePrice: staged, pendingSalePrice: null });
});

test.each([...statusesOnceApproved, ...statusesNeverApproved])(
  'with nothing staged on a %s offer, apply and discard are refused',
  (status) => {
    for (const command of [apply, discard]) {
      expect(expectFailure(review(offerIn(status), command))).toEqual({
        code: 'BUSINESS_OFFER_NO_PENDING_PRICE',
        details: {},
      });
    }
  },
);

test('a price staged twice is applied once', () => {
  const after = reviewed(offerIn('Approved', { pendingCost: staged }), apply);
  expect(expectFailure(review(after, apply)).code).toBe('BUSINESS_OFFER_NO_PENDING_PRICE');
});

test('a decision on another version is refused before anything else is judged', () => {
  for (const command of [apply, discard]) {
    for (const pendingCost of [null, staged]) {
      expect(
        expectFailure(
          review(offerIn('Approved', { pendingCost }), { ...command, expectedVersion: 2 }),
        ),
      ).toEqual({ code: 'CONFLICT_VERSION', details: { expectedVersion: 2, reviewVersion: 3 } });
    }
    const given = offerIn('Approved', { pendingCost: staged });
    expect(review(given, { ...command, expectedVersion: 3 }).ok).toBe(true);
  }
});

test.each([true, false])('supply paused %s stays so when a price is settled', (isPaused) => {
  const given = offerIn('Suspended', { pendingCost: staged, supply: supply({ isPaused }) });
  for (const command of [apply, discard]) {
    expect(reviewed(given, command).supply).toEqual(supply({ isPaused }));
  }
});

test('after a switch, applying moves the supply to the new agreement; discarding leaves it', () => {
  const given = offerIn('Suspended', {
    pricingModel: 'PercentageOfSale',
    pendingSalePrice: staged,
  });
  const applied = reviewed(given, apply);
  expect(applied.supply).toEqual(supply({ isPaused: true, pricingModel: 'PercentageOfSale' }));
  const discarded = reviewed(given, discard);
  expect(discarded.supply).toEqual(given.supply);
  const reinstate = { action: 'reinstate', reason: 'Go on.' } as const;
  expect(expectValue(moveOffer(applied, reinstate, now)).status).toBe('Approved');
  expect(expectValue(moveOffer(discarded, reinstate, now)).status).toBe('PendingRepricing');
});

test.each(models)(
  'approval of the offer applies the staged $field in the same decision',
  (prices) => {
    const given = withStaged({ status: 'PendingReview', ...prices });
    expect(reviewed(given, approve)).toMatchObject({
      status: 'Approved',
      [prices.field]: staged,
      [prices.pending]: null,
      awaitingSince: null,
      version: given.version + 1,
      supply: { isPaused: false, optionId: 'option-1', pricingModel: prices.model },
    });
  },
);

test.each(models)(
  'rejection leaves the $field staged, and a later approval applies it',
  (prices) => {
    const given = withStaged({ status: 'PendingReview', ...prices });
    const rejected = reviewed(given, reject);
    expect(rejected).toMatchObject({
      status: 'Rejected',
      [prices.field]: given[prices.field],
      [prices.pending]: staged,
      awaitingSince: null,
      supply: { isPaused: true },
    });
    const again = { ...rejected, status: 'PendingReview' } as const;
    expect(reviewed(again, approve)).toMatchObject({
      [prices.field]: staged,
      [prices.pending]: null,
    });
  },
);

test('approval after a switch keeps the supply option, under the new agreement and selling', () => {
  const given = offerOnceApproved('PendingReview', {
    pricingModel: 'PercentageOfSale',
    pendingSalePrice: staged,
    supply: supply({ isPaused: true }),
  });
  expect(reviewed(given, approve)).toMatchObject({
    salePrice: staged,
    cost: given.cost,
    supply: { optionId: 'option-1', isPaused: false, pricingModel: 'PercentageOfSale' },
  });
});

test('each decision has its own name for the vendor', () => {
  expect(decisionOf).toEqual({
    approve: 'Approved',
    reject: 'Rejected',
    applyPrice: 'PriceApplied',
    discardPrice: 'PriceDiscarded',
  });
});

test('an approval at a price of 0 is refused, and names the price that is missing (D76)', () => {
  const given = offerIn('PendingReview', { cost: price(0, 0), variantId: variant.id });
  expect(expectFailure(review(given, approve))).toEqual({
    code: 'BUSINESS_OFFER_PRICE_REQUIRED',
    details: { field: 'Cost' },
  });
  const repriced = { ...given, pendingCost: staged };
  expect(reviewed(repriced, approve)).toMatchObject({ status: 'Approved', cost: staged });
});

import { expect, test } from 'vitest';
import { moveOffer, type OfferMove } from '../../../domain/offers/move-offer.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import {
  changedTo,
  deepFrozen,
  expectFailure,
  expectValue,
  now,
  offerIn,
  offerOnceApproved,
  price,
  statusesOnceApproved,
  supply,
} from './offer-builders.ts';

// The grid in `model/` has the outcome and the written values for each kind of offer. Here is what
// it leaves out: the details of a refusal, and what a move keeps.

const moved = (given: Offer, move: OfferMove): Offer =>
  expectValue(moveOffer(deepFrozen(given), move, now));
const pendingCost = price(9000, 1350);
const paused = supply({ isPaused: true });

test('a refusal names the status and the action, or the missing barcode', () => {
  expect(expectFailure(moveOffer(offerIn('Approved'), { action: 'submit' }, now))).toEqual({
    code: 'BUSINESS_OFFER_INVALID_TRANSITION',
    details: { status: 'Approved', action: 'submit' },
  });
  expect(expectFailure(moveOffer(offerIn('Rejected'), { action: 'submit' }, now))).toMatchObject({
    code: 'VALIDATION_ERRORS',
    details: { errors: [{ field: 'Barcode', path: '/barcode', code: 'required' }] },
  });
});

test('an offer that sold before its withdrawal stays paused when it is submitted', () => {
  const given = offerOnceApproved('Withdrawn', { pendingCost });
  expect(moved(given, { action: 'submit' })).toEqual(
    changedTo(given, { status: 'PendingReview', awaitingSince: now }),
  );
});

test.each(statusesOnceApproved.filter((status) => status !== 'Withdrawn'))(
  'withdrawing a %s offer pauses its supply option, ends the wait, and keeps prices and review',
  (status) => {
    const given = offerOnceApproved(status, {
      pendingCost,
      awaitingSince: new Date('2026-02-02T00:00:00.000Z'),
      reviewedAt: new Date('2026-02-01T00:00:00.000Z'),
      reviewReason: 'Earlier.',
    });
    expect(moved(given, { action: 'withdraw' })).toEqual(
      changedTo(given, { status: 'Withdrawn', awaitingSince: null, supply: paused }),
    );
  },
);

test('suspending keeps a staged price, which waits for nobody until the offer is reinstated', () => {
  const given = offerIn('Approved', { pendingCost, awaitingSince: new Date(0) });
  const review = { reviewedAt: now, reviewReason: 'Stop.' };
  const suspended = moved(given, { action: 'suspend', reason: 'Stop.' });
  expect(suspended).toEqual(
    changedTo(given, { status: 'Suspended', supply: paused, awaitingSince: null, ...review }),
  );
  expect(moved(suspended, { action: 'reinstate', reason: 'Go on.' })).toEqual(
    changedTo(suspended, {
      status: 'Approved',
      supply: supply(),
      awaitingSince: now,
      reviewedAt: now,
      reviewReason: 'Go on.',
    }),
  );
});

test('reinstating after a switch asks for the new price, even after an identity change', () => {
  for (const given of [{}, { identityChanged: true }, { salePrice: price(20_000, 3000) }]) {
    const suspended = offerIn('Suspended', { pricingModel: 'PercentageOfSale', ...given });
    expect(moved(suspended, { action: 'reinstate', reason: 'Go on.' })).toMatchObject({
      status: 'PendingRepricing',
      awaitingSince: null,
      supply: paused,
    });
  }
});

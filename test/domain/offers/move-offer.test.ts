import { expect, test } from 'vitest';
import { moveOffer, type OfferMove } from '../../../domain/offers/move-offer.ts';
import { offerStatuses, type Offer, type OfferStatus } from '../../../domain/offers/offer.ts';
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

const barcode = '96385074';
const moves: readonly OfferMove[] = [
  { action: 'submit' },
  { action: 'withdraw' },
  { action: 'suspend', reason: 'Stop.' },
  { action: 'reinstate', reason: 'Go on.' },
];
const move = (given: Offer, wanted: OfferMove) => moveOffer(deepFrozen(given), wanted, now);
const paused = supply({ isPaused: true });

/**
 * Where each move is allowed from, and what the status is then. A matched offer; the other kind is
 * below.
 */
const allowed: Readonly<Record<OfferMove['action'], Partial<Record<OfferStatus, OfferStatus>>>> = {
  submit: { Draft: 'PendingReview', Rejected: 'PendingReview', Withdrawn: 'PendingReview' },
  withdraw: {
    Draft: 'Withdrawn',
    PendingMatch: 'Withdrawn',
    PendingReview: 'Withdrawn',
    Approved: 'Withdrawn',
    Rejected: 'Withdrawn',
    Suspended: 'Withdrawn',
    PendingRepricing: 'Withdrawn',
  },
  suspend: { Approved: 'Suspended' },
  reinstate: { Suspended: 'Approved' },
};
const cells = moves.flatMap((wanted) => offerStatuses.map((status) => ({ wanted, status })));

test.each(cells)(
  '$wanted.action from $status moves it as the table says, or is refused',
  ({ wanted, status }) => {
    const to = allowed[wanted.action][status];
    for (const given of [offerIn(status), offerIn(status, { barcode })]) {
      const result = move(given, wanted);
      if (wanted.action === 'submit' && status === 'Rejected' && given.barcode === null) {
        expect(expectFailure(result)).toMatchObject({
          details: { errors: [{ field: 'Barcode' }] },
        });
        continue;
      }
      if (to !== undefined) {
        expect(expectValue(result)).toMatchObject({ status: to, version: 4, changedAt: now });
        continue;
      }
      expect(expectFailure(result)).toEqual({
        code: 'BUSINESS_OFFER_INVALID_TRANSITION',
        details: { status, action: wanted.action },
      });
    }
  },
);

test.each(['Draft', 'Withdrawn'] as const)(
  'submitting a %s offer queues it by its match, barcode or not, and changes nothing else',
  (status) => {
    for (const shape of [{}, { barcode }]) {
      const matched = offerIn(status, shape);
      expect(expectValue(move(matched, { action: 'submit' }))).toEqual(
        changedTo(matched, { status: 'PendingReview', awaitingSince: now }),
      );
      const unmatched = offerIn(status, { ...shape, variantId: null });
      expect(expectValue(move(unmatched, { action: 'submit' }))).toEqual(
        changedTo(unmatched, { status: 'PendingMatch', awaitingSince: now }),
      );
    }
  },
);

test('an offer that sold before its withdrawal is not sold again by submitting it', () => {
  const given = offerOnceApproved('Withdrawn', { pendingCost: price(9000, 1350) });
  expect(expectValue(move(given, { action: 'submit' }))).toEqual(
    changedTo(given, { status: 'PendingReview', awaitingSince: now, supply: paused }),
  );
});

test.each(statusesOnceApproved.filter((status) => status !== 'Withdrawn'))(
  'withdrawing a %s offer pauses its supply option, ends the wait, and keeps prices and review',
  (status) => {
    const given = offerOnceApproved(status, {
      pendingCost: price(9000, 1350),
      awaitingSince: new Date('2026-02-02T00:00:00.000Z'),
      reviewedAt: new Date('2026-02-01T00:00:00.000Z'),
      reviewReason: 'Earlier.',
    });
    expect(expectValue(move(given, { action: 'withdraw' }))).toEqual(
      changedTo(given, { status: 'Withdrawn', awaitingSince: null, supply: paused }),
    );
  },
);

test('withdrawing an offer that never sold leaves it without supply', () => {
  const given = offerIn('PendingMatch');
  expect(expectValue(move(given, { action: 'withdraw' }))).toEqual(
    changedTo(given, { status: 'Withdrawn', awaitingSince: null }),
  );
});

test('suspending pauses supply, stores the reason, and keeps a staged price unqueued', () => {
  const given = offerIn('Approved', {
    pendingCost: price(9000, 1350),
    awaitingSince: new Date('2026-02-02T00:00:00.000Z'),
  });
  expect(expectValue(move(given, { action: 'suspend', reason: 'Stop.' }))).toEqual(
    changedTo(given, {
      status: 'Suspended',
      supply: paused,
      awaitingSince: null,
      reviewedAt: now,
      reviewReason: 'Stop.',
    }),
  );
});

test('reinstating sells again at the live price and stores the reason', () => {
  const given = offerIn('Suspended');
  expect(expectValue(move(given, { action: 'reinstate', reason: 'Go on.' }))).toEqual(
    changedTo(given, {
      status: 'Approved',
      supply: supply(),
      reviewedAt: now,
      reviewReason: 'Go on.',
    }),
  );
});

test('reinstating an offer with a staged price queues that price, and leaves the live one', () => {
  const given = offerIn('Suspended', { pendingCost: price(9000, 1350) });
  expect(expectValue(move(given, { action: 'reinstate', reason: 'Go on.' }))).toMatchObject({
    status: 'Approved',
    cost: given.cost,
    pendingCost: given.pendingCost,
    awaitingSince: now,
  });
});

test('reinstating after an agreement switch asks for the new price first, stored or not', () => {
  for (const salePrice of [null, price(20_000, 3000)]) {
    const given = offerIn('Suspended', {
      pricingModel: 'PercentageOfSale',
      salePrice,
      supply: paused,
    });
    expect(expectValue(move(given, { action: 'reinstate', reason: 'Go on.' }))).toEqual(
      changedTo(given, { status: 'PendingRepricing', reviewedAt: now, reviewReason: 'Go on.' }),
    );
  }
});

test('reinstating what was edited while it was suspended sends it to review, unsold', () => {
  const given = offerIn('Suspended', { identityChanged: true });
  expect(expectValue(move(given, { action: 'reinstate', reason: 'Go on.' }))).toEqual(
    changedTo(given, {
      status: 'PendingReview',
      awaitingSince: now,
      reviewedAt: now,
      reviewReason: 'Go on.',
    }),
  );
  const switched = { ...given, pricingModel: 'PercentageOfSale' } as const;
  expect(expectValue(move(switched, { action: 'reinstate', reason: 'Go on.' })).status).toBe(
    'PendingRepricing',
  );
});

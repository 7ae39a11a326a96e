import { expect, test } from 'vitest';
import { offerStatuses, type Offer, type OfferStatus } from '../../../domain/offers/offer.ts';
import { applyPendingSwitch } from '../../../domain/offers/switch-agreement.ts';
import {
  deepFrozen,
  offerIn,
  offerOnceApproved,
  price,
  statusesOnceApproved,
  supply,
} from './offer-builders.ts';

const changedAt = new Date('2026-02-20T00:00:00.000Z');
const toModel2 = { pricingModel: 'PercentageOfSale', epoch: 1, changedAt } as const;
const laterAt = new Date('2026-02-25T00:00:00.000Z');
const backToModel1 = { pricingModel: 'CostPlusMargin', epoch: 2, changedAt: laterAt } as const;
const paused = supply({ isPaused: true });
const staged = price(9000, 1350);

const switched = (given: Offer, agreement: Parameters<typeof applyPendingSwitch>[1]) =>
  applyPendingSwitch(deepFrozen(given), agreement);

/** What the switch itself writes on every offer. */
const following = (given: Offer): Partial<Offer> => ({
  pricingModel: 'PercentageOfSale',
  agreementEpoch: 1,
  pendingCost: null,
  pendingSalePrice: null,
  version: given.version + 1,
  changedAt,
});
const repriced: readonly OfferStatus[] = ['Approved', 'PendingReview'];

test.each(offerStatuses)(
  'a switch moves a %s offer only if it is live or about to be',
  (status) => {
    const given = offerIn(status, { barcode: '96385074' });
    const moved = repriced.includes(status)
      ? {
          status: 'PendingRepricing',
          awaitingSince: null,
          supply: given.supply === null ? null : paused,
        }
      : {};
    expect(switched(given, toModel2)).toEqual({ ...given, ...following(given), ...moved });
  },
);

test.each(statusesOnceApproved)(
  'a switch drops what is staged on a %s offer, and keeps its live price',
  (status) => {
    const given = offerOnceApproved(status, { pendingCost: staged });
    expect(switched(given, toModel2)).toMatchObject({
      pendingCost: null,
      pendingSalePrice: null,
      cost: given.cost,
      salePrice: null,
      awaitingSince: null,
    });
    const sold = offerOnceApproved(status, {
      pricingModel: 'PercentageOfSale',
      agreementEpoch: 1,
      salePrice: price(20_000, 3000),
      pendingSalePrice: staged,
    });
    expect(switched(sold, backToModel1)).toMatchObject({
      pricingModel: 'CostPlusMargin',
      pendingSalePrice: null,
      salePrice: sold.salePrice,
      cost: sold.cost,
    });
  },
);

test.each(statusesOnceApproved)('after a switch a %s offer that sold is not sellable', (status) => {
  expect(switched(offerOnceApproved(status), toModel2).supply).toEqual(paused);
});

test('a live offer in review for an identity change stops selling too', () => {
  const given = offerOnceApproved('PendingReview', { supply: supply(), pendingCost: staged });
  expect(switched(given, toModel2)).toEqual({
    ...given,
    ...following(given),
    status: 'PendingRepricing',
    awaitingSince: null,
    supply: paused,
  });
});

test('an offer without a match keeps its place in the queue', () => {
  const given = offerIn('PendingMatch');
  expect(switched(given, toModel2)).toEqual({ ...given, ...following(given) });
});

test.each(offerStatuses)(
  'a %s offer that follows the agreement already stays the very same',
  (status) => {
    const given = offerIn(status, { pendingCost: staged });
    expect(switched(given, { ...toModel2, epoch: 0 })).toBe(given);
    const once = switched(given, toModel2);
    expect(switched(once, toModel2)).toBe(once);
    const ahead = switched(given, backToModel1);
    expect(switched(ahead, toModel2)).toBe(ahead);
  },
);

test.each(offerStatuses)(
  'two switches leave a %s offer as the last one says, seen one by one or at once',
  (status) => {
    const given = offerIn(status);
    const atOnce = switched(given, backToModel1);
    expect(atOnce).toEqual(switched(switched(given, toModel2), backToModel1));
    expect(atOnce).toMatchObject({
      pricingModel: 'CostPlusMargin',
      agreementEpoch: 2,
      version: given.version + 2,
      changedAt: laterAt,
    });
  },
);

test('after a switch and back, the offer waits for its price, and the old one stays stored', () => {
  const given = offerIn('Approved', { pendingCost: staged });
  expect(switched(given, backToModel1)).toMatchObject({
    status: 'PendingRepricing',
    supply: paused,
    cost: given.cost,
    pendingCost: null,
  });
});

test('a change since the switch, not yet stored as following it, stays the latest one', () => {
  const given = offerIn('Approved', { changedAt: laterAt });
  expect(switched(given, toModel2).changedAt).toEqual(laterAt);
});

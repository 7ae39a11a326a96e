import { expect, test } from 'vitest';
import { offerStatuses, type Offer } from '../../../domain/offers/offer.ts';
import { applyPendingSwitch } from '../../../domain/offers/switch-agreement.ts';
import { deepFrozen, offerIn, price } from './offer-builders.ts';

// The model in `model/` has the outcome of switches, one by one and at once, for each kind of
// offer.

const changedAt = new Date('2026-02-20T00:00:00.000Z');
const toModel2 = { pricingModel: 'PercentageOfSale', epoch: 1, changedAt } as const;
const laterAt = new Date('2026-02-25T00:00:00.000Z');
const backToModel1 = { pricingModel: 'CostPlusMargin', epoch: 2, changedAt: laterAt } as const;
const staged = price(9000, 1350);

const switched = (given: Offer, agreement: Parameters<typeof applyPendingSwitch>[1]) =>
  applyPendingSwitch(deepFrozen(given), agreement);

test.each(offerStatuses)('returns a %s offer that follows the agreement unchanged', (status) => {
  const given = offerIn(status, { pendingCost: staged });
  expect(switched(given, { ...toModel2, epoch: 0 })).toBe(given);
  const once = switched(given, toModel2);
  expect(switched(once, toModel2)).toBe(once);
  const ahead = switched(given, backToModel1);
  expect(switched(ahead, toModel2)).toBe(ahead);
});

test('keeps the later change time of a change after the switch', () => {
  const given = offerIn('Approved', { changedAt: laterAt });
  expect(switched(given, toModel2).changedAt).toEqual(laterAt);
});

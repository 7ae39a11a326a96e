import { expect } from 'vitest';
import {
  apply,
  approve,
  inReview,
  invalidTransition,
  live,
  liveWithStagedPrice,
  newCost,
  patch,
  pushStock,
  suspend,
  withdraw,
  raceTest as test,
} from './offer-race-fixture.ts';
import { expectSound } from './stored-offers.ts';

test('stock pushes during an approval: what the offer has in stock is what it sells', async ({
  raceOn,
}) => {
  const pushes = [11, 12, 13, 14, 15];
  for (const { offer, statuses } of await raceOn(inReview, [approve, ...pushes.map(pushStock)])) {
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
    expectSound(offer, 6, 1);
    expect(pushes).toContain(offer.declaredStockQuantity);
    expect(offer.statuses).toBe('PendingReview > Approved');
  }
});

test('withdraw against approve: it never sells after it was withdrawn', async ({ raceOn }) => {
  for (const { offer, answers, statuses } of await raceOn(inReview, [approve, withdraw])) {
    expect(statuses[1]).toBe(200);
    expect(offer.status).toBe('Withdrawn');
    const isApproved = statuses[0] === 200;
    if (!isApproved) expect(answers[0]).toMatchObject(invalidTransition('Withdrawn', 'approve'));
    expectSound(offer, isApproved ? 2 : 1, isApproved ? 1 : 0);
    expect(offer.option?.isPaused ?? null).toBe(isApproved ? true : null);
  }
});

test('withdraw and stock pushes against approve: it never sells after it was withdrawn', async ({
  raceOn,
}) => {
  const racers = [approve, pushStock(11), withdraw, pushStock(12)];
  for (const { offer, statuses } of await raceOn(inReview, racers)) {
    expect(statuses.slice(1)).toEqual([200, 200, 200]);
    const isApproved = statuses[0] === 200;
    expect(offer.status).toBe('Withdrawn');
    expectSound(offer, isApproved ? 4 : 3, isApproved ? 1 : 0);
  }
});

test('suspend against approve: the suspension is refused, or the offer does not sell', async ({
  raceOn,
}) => {
  for (const { offer, answers, statuses } of await raceOn(inReview, [approve, suspend])) {
    expect(statuses[0]).toBe(200);
    const isSuspended = statuses[1] === 200;
    if (!isSuspended)
      expect(answers[1]).toMatchObject(invalidTransition('PendingReview', 'suspend'));
    expect(offer.status).toBe(isSuspended ? 'Suspended' : 'Approved');
    expectSound(offer, isSuspended ? 2 : 1, isSuspended ? 2 : 1);
  }
});

test('suspend against a cost push: suspended, with the price staged', async ({ raceOn }) => {
  for (const { offer, statuses } of await raceOn(live, [suspend, patch(newCost, '/cost')])) {
    expect(statuses).toEqual([200, 200]);
    expectSound(offer, 3, 2);
    expect(offer).toMatchObject({ status: 'Suspended', costNet: 10_000, pendingCostNet: 15_000 });
  }
});

test.for([
  ['suspend', suspend, 'Suspended', 3],
  ['withdraw', withdraw, 'Withdrawn', 2],
] as const)(
  '%s against the staged price’s application: the price is live, the offer is not',
  async ([_name, move, status, operatorCommands], { raceOn }) => {
    for (const { offer, statuses } of await raceOn(liveWithStagedPrice, [apply, move])) {
      expect(statuses).toEqual([200, 200]);
      expectSound(offer, 4, operatorCommands);
      expect(offer).toMatchObject({
        status,
        costNet: 15_000,
        pendingCostNet: null,
        option: { isPaused: true },
      });
    }
  },
);

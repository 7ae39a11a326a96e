import { describe, expect } from 'vitest';
import { reviewVersionOf, type Offer } from '../../../domain/offers/offer.ts';
import { inParallel, test } from './offer-review-fixture.ts';

const decisionOn = (action: 'applyPrice' | 'discardPrice', seen: Offer | null = null) => {
  const expectedVersion = seen === null ? null : reviewVersionOf(seen);
  return { action, reason: null, expectedVersion } as const;
};
const noPrice = { code: 'BUSINESS_OFFER_NO_PENDING_PRICE', details: {} };

describe('a staged price', () => {
  test.for([
    ['applyPrice', 'PriceApplied', 12_000, 'price-applied'],
    ['discardPrice', 'PriceDiscarded', 10_000, 'price-discarded'],
  ] as const)('by %s is %s: the cost is %i', async ([action, decision, cost, name], { party }) => {
    const approved = await party.approved();
    const runId = await party.runId(approved);
    const staged = await party.push(approved, 'cost', 12_000);
    expect(await party.untilOpen(staged)).not.toBe(runId);
    expect(await party.sells(staged)).toEqual([10_000, '12500', 10_000, false]);

    const outcome = await party.decide(staged, decisionOn(action, staged));
    const value = { decision, status: 'Approved', isAwaitingDecision: false, version: 4 };
    expect(outcome).toMatchObject({ ok: true, value });
    expect(await party.record(staged, name)).toMatchObject({ decision });
    expect(await party.stored(staged)).toMatchObject({
      cost: { netHalalas: cost },
      pendingCost: null,
      awaitingSince: null,
    });
    expect(await party.sells(staged)).toEqual([cost, String(cost * 1.25), cost, false]);
  });

  test('that is taken back ends its review', async ({ party }) => {
    const staged = await party.staged();
    await party.push(staged, 'cost', 10_000);
    expect(await party.record(staged, 'price-taken-back')).toBeNull();
    const after = { status: 'Approved', pendingCost: null };
    expect(await party.stored(staged)).toMatchObject(after);
  });

  test('that is not there opens no run', async ({ party }) => {
    const approved = await party.approved();
    for (const action of ['applyPrice', 'discardPrice'] as const) {
      const refused = await party.decide(approved, decisionOn(action));
      expect(refused).toEqual({ ok: false, failure: noPrice });
    }
    expect(await party.record(approved, 'nothing-staged')).toBeNull();
    expect(await party.stored(approved)).toEqual(approved);
  });

  test('has one of two outcomes at once', async ({ party }) => {
    await inParallel(10, async (round) => {
      const staged = await party.staged();
      const both = [decisionOn('applyPrice'), decisionOn('discardPrice')];
      const ordered = round % 2 === 0 ? both : both.toReversed();
      const outcomes = await Promise.all(ordered.map((command) => party.decide(staged, command)));

      expect(outcomes.filter(({ ok }) => !ok)).toEqual([{ ok: false, failure: noPrice }]);
      const won = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
      const version = staged.version + 1;
      expect(won).toMatchObject([{ version, isAwaitingDecision: false }]);
      const cost = won[0]?.decision === 'PriceApplied' ? staged.pendingCost : staged.cost;
      expect(await party.stored(staged)).toMatchObject({ version, cost, pendingCost: null });
      expect((await party.sells(staged))?.[0]).toBe(cost?.netHalalas);
      await party.run(staged).result();
      await party.replay(staged);
    });
  });

  test('is never applied unseen', async ({ party }) => {
    let staged = await party.staged();
    for (let round = 0; round < 10; round += 1) {
      const [outcome, pushed] = await Promise.all([
        party.decide(staged, decisionOn('applyPrice', staged)),
        party.push(staged, 'cost', 30_000 + round),
      ]);

      const after = await party.stored(staged);
      if (!outcome.ok) expect(outcome).toMatchObject({ failure: { code: 'CONFLICT_VERSION' } });
      expect(after.cost).toEqual(outcome.ok ? staged.pendingCost : staged.cost);
      expect(after.pendingCost?.netHalalas).toBe(30_000 + round);
      expect(after.version).toBe(staged.version + (outcome.ok ? 2 : 1));
      expect(pushed).toEqual(after);
      await party.untilOpen(after);
      staged = after;
    }
  });
});

test('reviews a returned offer again (D134)', async ({ party }) => {
  const approved = await party.approved();
  const runId = await party.runId(approved);
  const outcome = await party.decide(approved, {
    action: 'returnToReview',
    reason: 'The match is wrong.',
    expectedVersion: reviewVersionOf(approved),
  });
  const value = { decision: 'ReturnedToReview', status: 'PendingReview', isAwaitingDecision: true };
  expect(outcome).toMatchObject({ ok: true, value });
  expect(await party.runId(approved)).not.toBe(runId);
  expect(await party.sells(approved)).toEqual([10_000, '12500', 10_000, true]);
  const again = await party.stored(approved);
  await party.decide(again, party.approval(again));
  expect(await party.record(approved, 'returned')).toMatchObject({ decision: 'Approved' });
  expect(await party.sells(approved)).toEqual([10_000, '12500', 10_000, false]);
});

import { expect } from 'vitest';
import { reviewVersionOf } from '../../../domain/offers/offer.ts';
import { decisionOn, test } from './offer-review-fixture.ts';

const noPrice = { code: 'BUSINESS_OFFER_NO_PENDING_PRICE', details: {} };

test.for([
  ['applyPrice', 'PriceApplied', 12_000, 'price-applied'],
  ['discardPrice', 'PriceDiscarded', 10_000, 'price-discarded'],
] as const)('decides prices by %s as %s: %i', async ([action, decision, cost, name], { party }) => {
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

test('takes decisions back in the run, which waits again (D162)', async ({ party }) => {
  const staged = await party.staged();
  await party.decide(staged, decisionOn('applyPrice', staged));
  await party.run(staged).result();
  const undo = { action: 'undo', expectedVersion: null } as const;
  const value = { decision: 'ReturnedToReview', status: 'Approved', isAwaitingDecision: true };
  expect(await party.decide(staged, undo)).toMatchObject({ ok: true, value });
  expect(await party.sells(staged)).toEqual([10_000, '12500', 10_000, false]);
  const again = await party.stored(staged);
  expect(again.pendingCost).toEqual(staged.pendingCost);
  expect(await party.decide(again, undo)).toMatchObject({
    failure: { code: 'BUSINESS_OFFER_DECISION_NOT_UNDOABLE' },
  });
  await party.decide(again, decisionOn('discardPrice', again));
  expect(await party.record(staged, 'undone')).toMatchObject({ decision: 'PriceDiscarded' });
});

test('ends the review when a staged price is taken back', async ({ party }) => {
  const staged = await party.staged();
  await party.push(staged, 'cost', 10_000);
  expect(await party.record(staged, 'price-taken-back')).toBeNull();
  const after = { status: 'Approved', pendingCost: null };
  expect(await party.stored(staged)).toMatchObject(after);
});

test('leaves no run open for a decision without a staged price', async ({ party }) => {
  const approved = await party.approved();
  for (const action of ['applyPrice', 'discardPrice'] as const) {
    const refused = await party.decide(approved, decisionOn(action));
    expect(refused).toEqual({ ok: false, failure: noPrice });
  }
  expect(await party.record(approved, 'nothing-staged')).toBeNull();
  expect(await party.stored(approved)).toEqual(approved);
});

test('never applies a staged price that the reviewer has not read', async ({ party }) => {
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

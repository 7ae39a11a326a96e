import { describe, expect } from 'vitest';
import { offerReviewId } from '../../../workflows/ids.ts';
import { recordHistory, replayRun } from '../../support/history.ts';
import {
  test,
  pushCost,
  decide,
  inParallel,
  review,
  untilReviewIsOpen,
  seedApproved,
  seedStaged,
  stored,
  sells,
  type Party,
  approval,
} from './offer-review-fixture.ts';
import { reviewVersionOf, type Offer } from '../../../domain/offers/offer.ts';

const price = (action: 'applyPrice' | 'discardPrice', expectedVersion: number | null = null) =>
  ({ action, reason: null, expectedVersion }) as const;

/** Decides on the staged price; the offer stays approved, and the review ends. */
async function decideOnPrice(
  party: Party,
  staged: Offer,
  action: 'applyPrice' | 'discardPrice',
  decision: 'PriceApplied' | 'PriceDiscarded',
): Promise<void> {
  const outcome = await decide(party, staged, price(action, reviewVersionOf(staged)));
  const value = { decision, status: 'Approved', isAwaitingDecision: false, version: 4 };
  expect(outcome).toMatchObject({ ok: true, value });
  expect(await review(party.gateway, staged).result()).toMatchObject({ decision });
  const ended = { pendingCost: null, awaitingSince: null };
  expect(await stored(party.gateway, staged)).toMatchObject(ended);
}

describe('a staged price', () => {
  test('is sold for once it is applied', async ({ party, gateway, vendorId }) => {
    const approved = await seedApproved(party);
    const { runId } = await review(gateway, approved).describe();

    const staged = await pushCost(gateway, vendorId, approved, 12_000);
    expect(await untilReviewIsOpen(gateway, staged)).not.toBe(runId);
    expect(await sells(gateway, staged)).toEqual([10_000, '12500', 10_000, false]);
    await decideOnPrice(party, staged, 'applyPrice', 'PriceApplied');
    expect((await stored(gateway, staged)).cost.netHalalas).toBe(12_000);
    expect(await sells(gateway, staged)).toEqual([12_000, '15000', 12_000, false]);
    await recordHistory(gateway.client, offerReviewId(staged.id), 'offer-review-price-applied');
  });

  test('that a reviewer discards leaves the offer as it sells', async ({ party, gateway }) => {
    const staged = await seedStaged(party);

    await decideOnPrice(party, staged, 'discardPrice', 'PriceDiscarded');
    expect((await stored(gateway, staged)).cost.netHalalas).toBe(10_000);
    expect(await sells(gateway, staged)).toEqual([10_000, '12500', 10_000, false]);
    await recordHistory(gateway.client, offerReviewId(staged.id), 'offer-review-price-discarded');
  });

  test('that is taken back ends its review', async ({ party, gateway, vendorId }) => {
    const staged = await seedStaged(party);

    await pushCost(gateway, vendorId, staged, 10_000);

    expect(await review(gateway, staged).result()).toBeNull();
    expect(await stored(gateway, staged)).toMatchObject({ status: 'Approved', pendingCost: null });
    await recordHistory(gateway.client, offerReviewId(staged.id), 'offer-review-price-taken-back');
  });

  test('that is not there opens no run', async ({ party, gateway }) => {
    const approved = await seedApproved(party);

    for (const action of ['applyPrice', 'discardPrice'] as const) {
      const refused = await decide(party, approved, price(action));
      expect(refused).toEqual({
        ok: false,
        failure: { code: 'BUSINESS_OFFER_NO_PENDING_PRICE', details: {} },
      });
    }
    expect(await review(gateway, approved).result()).toBeNull();
    expect(await stored(gateway, approved)).toEqual(approved);
    await recordHistory(gateway.client, offerReviewId(approved.id), 'offer-review-nothing-staged');
  });

  test('has one of two outcomes at once', async ({ party, gateway }) => {
    await inParallel(10, async (round) => {
      const staged = await seedStaged(party);
      const both = [price('applyPrice'), price('discardPrice')];
      const outcomes = await Promise.all(
        (round % 2 === 0 ? both : both.toReversed()).map((command) =>
          decide(party, staged, command),
        ),
      );

      expect(outcomes.filter(({ ok }) => !ok)).toEqual([
        { ok: false, failure: { code: 'BUSINESS_OFFER_NO_PENDING_PRICE', details: {} } },
      ]);
      const won = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
      expect(won).toMatchObject([{ version: staged.version + 1, isAwaitingDecision: false }]);
      const live = won[0]?.decision === 'PriceApplied' ? staged.pendingCost : staged.cost;
      const after = await stored(gateway, staged);
      expect([after.version, after.cost, after.pendingCost]).toEqual([
        staged.version + 1,
        live,
        null,
      ]);
      expect((await sells(gateway, after))?.[0]).toBe(live?.netHalalas);
      await review(gateway, staged).result();
      await replayRun(gateway.client, offerReviewId(staged.id));
    });
  });

  test('is never applied unseen', async ({ party, gateway, vendorId }) => {
    let staged = await seedStaged(party);
    for (let round = 0; round < 10; round += 1) {
      const [outcome, pushed] = await Promise.all([
        decide(party, staged, price('applyPrice', reviewVersionOf(staged))),
        pushCost(gateway, vendorId, staged, 30_000 + round),
      ]);

      const after = await stored(gateway, staged);
      const live = outcome.ok ? staged.pendingCost : staged.cost;
      if (!outcome.ok) expect(outcome).toMatchObject({ failure: { code: 'CONFLICT_VERSION' } });
      expect(after.cost).toEqual(live);
      expect(after.pendingCost?.netHalalas).toBe(30_000 + round);
      expect(after.version).toBe(staged.version + (outcome.ok ? 2 : 1));
      expect(pushed).toEqual(after);
      await untilReviewIsOpen(gateway, after);
      staged = after;
    }
  });
});

test('reviews a returned offer again (D134)', async ({ party, gateway, variantId }) => {
  const approved = await seedApproved(party);
  const { runId } = await review(gateway, approved).describe();
  const outcome = await decide(party, approved, {
    action: 'returnToReview',
    reason: 'The match is wrong.',
    expectedVersion: reviewVersionOf(approved),
  });
  expect(outcome).toMatchObject({
    ok: true,
    value: { decision: 'ReturnedToReview', status: 'PendingReview', isAwaitingDecision: true },
  });
  expect((await review(gateway, approved).describe()).runId).not.toBe(runId);
  expect(await sells(gateway, approved)).toEqual([10_000, '12500', 10_000, true]);
  const again = await stored(gateway, approved);
  await decide(party, again, approval(variantId, reviewVersionOf(again)));
  expect(await review(gateway, approved).result()).toMatchObject({ decision: 'Approved' });
  expect(await sells(gateway, approved)).toEqual([10_000, '12500', 10_000, false]);
  await recordHistory(gateway.client, offerReviewId(approved.id), 'offer-review-returned');
});

import { describe, expect } from 'vitest';
import { offerReviewId } from '../../../workflows/ids.ts';
import { readableHistory, recordHistory, replayRun } from '../../support/history.ts';
import { seedOffer, seedSubscription } from '../../support/seeds/seed.ts';
import {
  test,
  pushCost,
  approval,
  decide,
  inParallel,
  review,
  untilReviewIsOpen,
  seedApproved,
  seedStaged,
  stored,
  sells,
  type Party,
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
  test('opens a review by itself; a reviewer applies it, and the offer sells for it', async ({
    party,
    gateway,
    vendorId,
  }) => {
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

  test('that the vendor discards, by pushing the live one, ends its review', async ({
    party,
    gateway,
    vendorId,
  }) => {
    const staged = await seedStaged(party);

    await pushCost(gateway, vendorId, staged, 10_000);

    expect(await review(gateway, staged).result()).toBeNull();
    expect(await stored(gateway, staged)).toMatchObject({ status: 'Approved', pendingCost: null });
    await recordHistory(gateway.client, offerReviewId(staged.id), 'offer-review-price-taken-back');
  });

  test('is decided on with one event for the vendor, and one entry in the audit log', async ({
    party,
    gateway,
    vendorId,
  }) => {
    const { SECRETS_KEY } = gateway.config;
    const staged = await seedStaged(party);
    const subscription = await seedSubscription(
      gateway.sql,
      vendorId,
      'http://127.0.0.1:9/hook',
      SECRETS_KEY,
    );

    await decide(party, staged, {
      ...price('applyPrice'),
      reason: 'Fair',
    });

    const events = await gateway.sql<{ decision: string; reason: string }[]>`
      select body::jsonb -> 'data' ->> 'decision' as decision,
        body::jsonb -> 'data' ->> 'reason' as reason
      from webhook_events join webhook_deliveries on event_id = webhook_events.id
      where subscription_id = ${subscription.id}`;
    expect(events).toEqual([{ decision: 'PriceApplied', reason: 'Fair' }]);
    const entries = await gateway.sql<{ action: string }[]>`
      select action from audit_log where subject_id = ${staged.id} order by id`;
    expect(entries.map(({ action }) => action)).toEqual(['offer.approve', 'offer.applyPrice']);
    expect(await readableHistory(gateway.client, offerReviewId(staged.id))).not.toContain('Fair');
  });

  test('that is not there can be neither applied nor discarded: no run stays open for it', async ({
    party,
    gateway,
  }) => {
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

  test('that is not there leaves the review of the offer itself open', async ({
    party,
    gateway,
    variantId,
    vendorId,
  }) => {
    const offer = await seedOffer(gateway.sql, vendorId, { variantId });
    const runId = await untilReviewIsOpen(gateway, offer);

    const refused = await decide(party, offer, price('applyPrice'));

    expect(refused).toMatchObject({ failure: { code: 'BUSINESS_OFFER_NO_PENDING_PRICE' } });
    expect(await untilReviewIsOpen(gateway, offer)).toBe(runId);
    expect(await decide(party, offer, approval(variantId))).toMatchObject({ ok: true });
  });

  test('applied and discarded at once has one outcome; the other finds nothing staged', async ({
    party,
    gateway,
  }) => {
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

  test('that is overwritten while a reviewer decides is never applied unseen', async ({
    party,
    gateway,
    vendorId,
  }) => {
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

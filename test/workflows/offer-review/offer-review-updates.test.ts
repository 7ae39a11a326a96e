import { describe, expect, vi } from 'vitest';
import { editOffer, pushPrice, type OfferEdit } from '../../../domain/offers/edit-offer.ts';
import { moveOffer } from '../../../domain/offers/move-offer.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { offerReviewId } from '../../../workflows/ids.ts';
import { changeAgreement } from '../../support/seeds/agreement.ts';
import { type TestGateway } from '../../support/gateway/gateway.ts';
import { recordHistory, replayRun } from '../../support/history.ts';
import { seedOffer } from '../../support/seeds/seed.ts';
import {
  test,
  waiting,
  now,
  vatRateBasisPoints,
  change,
  approval,
  decide,
  inParallel,
  review,
  untilReviewIsOpen,
  seedStaged,
  stored,
  sells,
} from './offer-review-fixture.ts';
import { reviewVersionOf } from '../../../domain/offers/offer.ts';

const edit = (
  gateway: TestGateway,
  vendorId: string,
  offer: Offer,
  description: OfferEdit['description'],
): Promise<Offer> =>
  change(gateway, vendorId, offer, (found) =>
    editOffer(found, { description, prices: [], stock: null }, { vatRateBasisPoints, now: now() }),
  );
const move = (
  gateway: TestGateway,
  vendorId: string,
  offer: Offer,
  action: 'submit' | 'withdraw' | 'suspend',
): Promise<Offer> =>
  change(gateway, vendorId, offer, (found) =>
    moveOffer(found, action === 'suspend' ? { action, reason: 'Recalled' } : { action }, now()),
  );

describe('a review', () => {
  test('takes up an edit', async ({ party, gateway, variantId, vendorId }) => {
    const offer = await seedOffer(gateway.sql, vendorId, { variantId });
    const runId = await untilReviewIsOpen(gateway, offer);

    const edited = await edit(gateway, vendorId, offer, { rawProductName: 'Oud 50, new' });
    const refused = await decide(party, offer, approval(variantId, reviewVersionOf(offer)));

    expect(refused).toMatchObject({
      failure: { code: 'CONFLICT_VERSION', details: { expectedVersion: 1, reviewVersion: 2 } },
    });
    expect(await untilReviewIsOpen(gateway, edited)).toBe(runId);
    expect(await decide(party, edited, approval(variantId, reviewVersionOf(edited)))).toMatchObject(
      { value: { version: 3 } },
    );
    await review(gateway, edited).result();
    await recordHistory(gateway.client, offerReviewId(edited.id), 'offer-review-edited');
  });

  test('meets an edit', async ({ party, gateway, variantId, vendorId }) => {
    await inParallel(8, async (round) => {
      const offer = await seedOffer(gateway.sql, vendorId, { variantId });
      const [outcome] = await Promise.all([
        decide(party, offer, approval(variantId, reviewVersionOf(offer))),
        edit(gateway, vendorId, offer, { rawProductName: `Oud ${round}` }),
      ]);

      // Approved first: the edit is an identity change, and the offer is back in review.
      const after = await stored(gateway, offer);
      expect(after).toMatchObject({ status: 'PendingReview', version: outcome.ok ? 3 : 2 });
      if (!outcome.ok) expect(outcome).toMatchObject({ failure: { code: 'CONFLICT_VERSION' } });
      expect(await decide(party, offer, approval(variantId, reviewVersionOf(after)))).toMatchObject(
        { ok: true },
      );
      await review(gateway, offer).result();
      await replayRun(gateway.client, offerReviewId(offer.id));
    });
  });

  test('ends at a withdrawal', async ({ party, gateway, variantId, vendorId }) => {
    const offer = await seedOffer(gateway.sql, vendorId, { variantId });
    const runId = await untilReviewIsOpen(gateway, offer);

    await move(gateway, vendorId, offer, 'withdraw');

    expect(await review(gateway, offer).result()).toBeNull();
    expect((await review(gateway, offer).describe()).runId).toBe(runId);
    await recordHistory(gateway.client, offerReviewId(offer.id), 'offer-review-withdrawn');
    const refused = await decide(party, offer, approval(variantId));
    expect(refused).toMatchObject({ failure: { code: 'BUSINESS_OFFER_INVALID_TRANSITION' } });
    expect(await stored(gateway, offer)).toMatchObject({
      status: 'Withdrawn',
      version: 2,
      supply: null,
    });
  });

  test('meets a withdrawal', async ({ party, gateway, variantId, vendorId }) => {
    await inParallel(8, async () => {
      const offer = await seedOffer(gateway.sql, vendorId, { variantId });
      const [outcome] = await Promise.all([
        decide(party, offer, approval(variantId)),
        move(gateway, vendorId, offer, 'withdraw'),
      ]);

      expect(await stored(gateway, offer)).toMatchObject({
        status: 'Withdrawn',
        version: outcome.ok ? 3 : 2,
      });
      expect(await sells(gateway, offer)).toEqual(
        outcome.ok ? [10_000, '12500', 10_000, true] : null,
      );
      await review(gateway, offer).result();
      await replayRun(gateway.client, offerReviewId(offer.id));
    });
  });

  test('ends at a suspension', async ({ party, gateway, vendorId }) => {
    const staged = await seedStaged(party);

    await move(gateway, vendorId, staged, 'suspend');

    expect(await review(gateway, staged).result()).toBeNull();
    const suspended = await stored(gateway, staged);
    expect(suspended).toMatchObject({ status: 'Suspended', pendingCost: { netHalalas: 12_000 } });
    expect(await sells(gateway, staged)).toEqual([10_000, '12500', 10_000, true]);
    await recordHistory(gateway.client, offerReviewId(staged.id), 'offer-review-suspended');
  });

  test('ends at an agreement switch', async ({ party, gateway, variantId, vendorId }) => {
    const staged = await seedStaged(party);
    const agreement = { pricingModel: 'PercentageOfSale', rateBasisPoints: 1000 } as const;

    await changeAgreement(gateway.sql, vendorId, agreement);

    expect(await review(gateway, staged).result()).toBeNull();
    const { runId } = await review(gateway, staged).describe();
    await recordHistory(gateway.client, offerReviewId(staged.id), 'offer-review-repriced');
    const repriced = await change(gateway, vendorId, staged, (found) =>
      pushPrice(
        found,
        { field: 'salePrice', declared: { amountHalalas: 15_000, isVatInclusive: false } },
        { vatRateBasisPoints, now: now() },
      ),
    );
    expect(await untilReviewIsOpen(gateway, repriced)).not.toBe(runId);
    expect(await decide(party, repriced, approval(variantId))).toMatchObject({
      value: { status: 'Approved' },
    });
    expect(await sells(gateway, staged)).toEqual([15_000, '15000', 13_500, false]);
  });

  test('is a new run after a rejection', async ({ party, gateway, variantId, vendorId }) => {
    const offer = await seedOffer(gateway.sql, vendorId, { variantId });
    await decide(party, offer, {
      action: 'reject',
      reason: 'A wrong name',
      expectedVersion: null,
    });
    expect(await review(gateway, offer).result()).toMatchObject({ decision: 'Rejected' });
    const { runId } = await review(gateway, offer).describe();

    const again = await edit(gateway, vendorId, offer, { rawProductName: 'Oud 50 ml' });

    expect(await untilReviewIsOpen(gateway, again)).not.toBe(runId);
    expect(await decide(party, again, approval(variantId))).toMatchObject({
      value: { status: 'Approved' },
    });
    expect(await review(gateway, offer).result()).toMatchObject({ decision: 'Approved' });
    await recordHistory(gateway.client, offerReviewId(offer.id), 'offer-review-resubmitted');
  });

  test('continues when resubmitted at once', async ({ party, gateway, variantId, vendorId }) => {
    const offer = await seedOffer(gateway.sql, vendorId, { variantId });
    await untilReviewIsOpen(gateway, offer);

    await move(gateway, vendorId, offer, 'withdraw');
    const again = await move(gateway, vendorId, offer, 'submit');

    await vi.waitFor(
      async () => expect(await gateway.sql`select from outbox`).toHaveLength(0),
      waiting,
    );
    await untilReviewIsOpen(gateway, again);
    expect(await decide(party, again, approval(variantId, reviewVersionOf(again)))).toMatchObject({
      value: { version: 4 },
    });
    await review(gateway, again).result();
    await recordHistory(
      gateway.client,
      offerReviewId(again.id),
      'offer-review-withdrawn-and-resubmitted',
    );
  });
});

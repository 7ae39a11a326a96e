import { expect, vi } from 'vitest';
import { changeOffer } from '../../../api/offers/change-offer.ts';
import { findAnyOffer } from '../../../db/offers/offers.ts';
import { findSupplyOption } from '../../../db/offers/supply-options.ts';
import { editOffer, type OfferEdit } from '../../../domain/offers/edit-offer.ts';
import { moveOffer } from '../../../domain/offers/move-offer.ts';
import type { OfferRule } from '../../../domain/offers/offer-change.ts';
import { reviewVersionOf, type Offer } from '../../../domain/offers/offer.ts';
import type { ReviewCommand } from '../../../domain/offers/review-offer.ts';
import { offerReviewId } from '../../../workflows/ids.ts';
import { expectValue } from '../../domain/offers/offer-builders.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { decideOffer } from '../../support/gateway/runs.ts';
import { workflowTest } from '../../support/gateway/workflow-test.ts';
import { recordHistory, replayRun } from '../../support/history.ts';
import {
  pushNet,
  seedOffer,
  seedOperator,
  seedVariant,
  seedVendor,
} from '../../support/seeds/seed.ts';

export const waiting = { timeout: 20_000, interval: 20 };

/** A vendor, its offers, the operator who reviews them, and the runs of the reviews. */
export async function createParty(gateway: TestGateway) {
  const { sql, client } = gateway;
  const [vendorId, variantId, operator] = await Promise.all([
    seedVendor(sql),
    seedVariant(sql),
    seedOperator(sql),
  ]);

  const change = async ({ id }: Offer, rule: OfferRule): Promise<Offer> =>
    expectValue(await changeOffer(sql, { vendorId, offerId: id }, rule));
  const push = async (offer: Offer, field: 'cost' | 'salePrice', amountHalalas: number) =>
    expectValue(await pushNet(sql, offer, field, amountHalalas));
  const run = ({ id }: Offer) => client.workflow.getHandle(offerReviewId(id));
  const stored = async ({ id }: Offer): Promise<Offer> => {
    const offer = await findAnyOffer(sql, id);
    if (offer === null) throw new Error('no such offer');
    return offer;
  };
  /** The id of the open run that has seen the offer in this status. */
  const untilOpen = (offer: Offer): Promise<string> =>
    vi.waitFor(async () => {
      const { status, searchAttributes, runId } = await run(offer).describe();
      expect([status.name, searchAttributes['ReviewState']]).toEqual(['RUNNING', [offer.status]]);
      return runId;
    }, waiting);
  const decide = (offer: Offer, command: ReviewCommand) =>
    decideOffer(gateway, operator, offer, command);
  /** The approval of the offer as the reviewer has seen it. */
  const approval = (seen: Offer | null = null): ReviewCommand => ({
    action: 'approve',
    variantId,
    expectedVersion: seen === null ? null : reviewVersionOf(seen),
  });
  const submitted = (changes: Parameters<typeof seedOffer>[2] = { variantId }) =>
    seedOffer(sql, vendorId, changes);
  /** An offer that sells for 100.00, its first review over. */
  const approved = async (): Promise<Offer> => {
    const offer = await submitted();
    expect(await decide(offer, approval())).toMatchObject({ ok: true });
    await run(offer).result();
    return stored(offer);
  };

  return {
    gateway,
    vendorId,
    variantId,
    operator,
    run,
    stored,
    untilOpen,
    decide,
    approval,
    submitted,
    approved,
    push,
    /**
     * An approved offer with a cost of 120.00 that waits for a reviewer, its second review open.
     */
    staged: async (): Promise<Offer> => {
      const offer = await push(await approved(), 'cost', 12_000);
      await untilOpen(offer);
      return offer;
    },
    edit: (offer: Offer, description: OfferEdit['description']): Promise<Offer> =>
      change(offer, (found) =>
        editOffer(
          found,
          { description, prices: [], stock: null },
          { vatRateBasisPoints: 1500, now: new Date() },
        ),
      ),
    move: (offer: Offer, action: 'submit' | 'withdraw'): Promise<Offer> =>
      change(offer, (found) => moveOffer(found, { action }, new Date())),
    runId: async (offer: Offer): Promise<string> => (await run(offer).describe()).runId,
    /** What the offer sells for, and whether it is paused. */
    sells: async ({ id }: Offer) => {
      const option = await findSupplyOption(sql, id);
      return option && [option.net, option.sellNet, option.payoutNet, option.isPaused];
    },
    replay: ({ id }: Offer): Promise<void> => replayRun(client, offerReviewId(id)),
    /** Waits until the run has ended and records it; returns its result. */
    record: async (offer: Offer, name: string): Promise<unknown> => {
      const result: unknown = await run(offer).result();
      await recordHistory(client, offerReviewId(offer.id), `offer-review-${name}`);
      return result;
    },
  };
}

export type Party = Awaited<ReturnType<typeof createParty>>;

/** Each test has a vendor and offers of its own: they run side by side. */
export const { concurrent: test } = workflowTest.extend('party', ({ gateway }) =>
  createParty(gateway),
);

export const rejection = {
  action: 'reject',
  reason: 'Not a known brand',
  expectedVersion: null,
} as const;

export const decisionOn = (
  action: 'applyPrice' | 'discardPrice',
  seen: Offer | null = null,
): ReviewCommand => ({
  action,
  reason: null,
  expectedVersion: seen === null ? null : reviewVersionOf(seen),
});

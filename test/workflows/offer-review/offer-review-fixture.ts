import { expect, vi } from 'vitest';
import { changeOffer, type Decide } from '../../../api/offers/change-offer.ts';
import { findAnyOffer } from '../../../db/offers/offers.ts';
import { findSupplyOption } from '../../../db/offers/supply-options.ts';
import { pushPrice } from '../../../domain/offers/edit-offer.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import type { ReviewCommand } from '../../../domain/offers/review-offer.ts';
import { offerReviewId } from '../../../workflows/ids.ts';
import { type TestGateway } from '../../support/gateway/gateway.ts';
import {
  seedCommand,
  seedOffer,
  seedOperator,
  seedVariant,
  seedVendor,
} from '../../support/seeds/seed.ts';
import { workflowTest } from '../../support/gateway/workflow-test.ts';

/** A vendor, a variant of its offers, and the operator who reviews them. */
export type Party = {
  readonly gateway: TestGateway;
  readonly variantId: string;
  readonly operator: { readonly id: string; readonly operatorId: string };
  readonly vendorId: string;
};

/** Each test has a vendor and offers of its own: they run side by side. */
export const { concurrent: test } = workflowTest
  .extend('variantId', { scope: 'file' }, ({ gateway }) => seedVariant(gateway.sql))
  .extend('operator', { scope: 'file' }, ({ gateway }) => seedOperator(gateway.sql))
  .extend('vendorId', ({ gateway }) => seedVendor(gateway.sql))
  .extend('party', ({ gateway, variantId, operator, vendorId }): Party => ({
    gateway,
    variantId,
    operator,
    vendorId,
  }));

export const waiting = { timeout: 20_000, interval: 20 };

export const now = () => new Date();

export const vatRateBasisPoints = 1500;

export const change = async (
  gateway: TestGateway,
  vendorId: string,
  { id }: Offer,
  rule: Decide,
): Promise<Offer> => {
  const changed = await changeOffer(gateway.sql, { vendorId, offerId: id }, rule);
  if (!changed.ok) throw new Error(changed.failure.code);
  return changed.value;
};

export const pushCost = (
  gateway: TestGateway,
  vendorId: string,
  offer: Offer,
  amountHalalas: number,
): Promise<Offer> =>
  change(gateway, vendorId, offer, (found) =>
    pushPrice(
      found,
      { field: 'cost', declared: { amountHalalas, isVatInclusive: false } },
      { vatRateBasisPoints, now: now() },
    ),
  );

export const approval = (variantId: string, expectedVersion: number | null = null) =>
  ({ action: 'approve', variantId, expectedVersion }) as const;

/** Sends a reviewer's decision whose command is stored. */
export const sendDecision = (
  { gateway, operator, vendorId }: Party,
  offer: Offer,
  action: ReviewCommand['action'],
  commandId: string,
) =>
  gateway.decisions.decideOffer(
    { offerId: offer.id, vendorId },
    { action, commandId, operatorId: operator.operatorId },
  );

/** Stores a reviewer's decision and sends it. */
export async function decide(party: Party, offer: Offer, command: ReviewCommand) {
  const { gateway, operator } = party;
  const commandId = await seedCommand(gateway.sql, operator.id, offer.id, command);
  return sendDecision(party, offer, command.action, commandId);
}

export const inParallel = async (
  count: number,
  work: (round: number) => Promise<void>,
): Promise<void> => {
  await Promise.all(Array.from({ length: count }, (_, round) => work(round)));
};

export const review = (gateway: TestGateway, offer: Offer) =>
  gateway.client.workflow.getHandle(offerReviewId(offer.id));

/** The id of the open run that has seen the offer in this status. */
export const untilReviewIsOpen = (gateway: TestGateway, offer: Offer): Promise<string> =>
  vi.waitFor(async () => {
    const { status, searchAttributes, runId } = await review(gateway, offer).describe();
    expect([status.name, searchAttributes['ReviewState']]).toEqual(['RUNNING', [offer.status]]);
    return runId;
  }, waiting);

/** An offer that sells for 100.00, its first review over. */
export async function seedApproved(party: Party): Promise<Offer> {
  const { gateway, variantId, vendorId } = party;
  const offer = await seedOffer(gateway.sql, vendorId, { variantId });
  expect(await decide(party, offer, approval(variantId))).toMatchObject({ ok: true });
  await review(gateway, offer).result();
  return stored(gateway, offer);
}

/** The same with a cost of 120.00 that waits for a reviewer, its second review open. */
export async function seedStaged(party: Party): Promise<Offer> {
  const { gateway, vendorId } = party;
  const staged = await pushCost(gateway, vendorId, await seedApproved(party), 12_000);
  await untilReviewIsOpen(gateway, staged);
  return staged;
}

export async function stored(gateway: TestGateway, { id }: Offer): Promise<Offer> {
  const offer = await findAnyOffer(gateway.sql, id);
  if (offer === null) throw new Error('no such offer');
  return offer;
}

export const sells = async (gateway: TestGateway, { id }: Offer) => {
  const option = await findSupplyOption(gateway.sql, id);
  return option === null ? null : [option.net, option.sellNet, option.payoutNet, option.isPaused];
};

import { describe, expect, vi } from 'vitest';
import { changeOffer, type Decide } from '../../api/offers/change-offer.ts';
import { findAnyOffer } from '../../db/offers/offers.ts';
import { findSupplyOption } from '../../db/offers/supply-options.ts';
import { editOffer, pushPrice, type OfferEdit } from '../../domain/offers/edit-offer.ts';
import { moveOffer } from '../../domain/offers/move-offer.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import type { ReviewCommand } from '../../domain/offers/review-offer.ts';
import { offerReviewId } from '../../workflows/ids.ts';
import { changeAgreement } from '../support/agreement.ts';
import { type TestGateway } from '../support/gateway.ts';
import { readableHistory, recordHistory, replayRun } from '../support/history.ts';
import {
  seedCommand,
  seedOffer,
  seedOperator,
  seedSubscription,
  seedVariant,
  seedVendor,
} from '../support/seed.ts';
import { workflowTest } from '../support/workflow-test.ts';

/** What helpers need of a test's fixtures. */
type Fixtures = {
  readonly gateway: TestGateway;
  readonly variantId: string;
  readonly operator: { readonly id: string; readonly operatorId: string };
  readonly vendorId: string;
};

const test = workflowTest
  .extend('variantId', { scope: 'file' }, ({ gateway }) => seedVariant(gateway.sql))
  .extend('operator', { scope: 'file' }, ({ gateway }) => seedOperator(gateway.sql))
  .extend('vendorId', ({ gateway }) => seedVendor(gateway.sql));

const waiting = { timeout: 20_000, interval: 20 };
const now = () => new Date();
const vatRateBasisPoints = 1500;

const change = async (
  gateway: TestGateway,
  vendorId: string,
  { id }: Offer,
  rule: Decide,
): Promise<Offer> => {
  const changed = await changeOffer(gateway.sql, { vendorId, offerId: id }, rule);
  if (!changed.ok) throw new Error(changed.failure.code);
  return changed.value;
};
const pushCost = (
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

const price = (action: 'applyPrice' | 'discardPrice', expectedVersion: number | null = null) =>
  ({ action, reason: null, expectedVersion }) as const;
const approval = (variantId: string, expectedVersion: number | null = null) =>
  ({ action: 'approve', variantId, expectedVersion }) as const;

/** Notes a reviewer's decision and sends it. */
async function decide(
  { gateway, operator, vendorId }: Pick<Fixtures, 'gateway' | 'operator' | 'vendorId'>,
  offer: Offer,
  command: ReviewCommand,
) {
  const commandId = await seedCommand(gateway.sql, operator.id, offer.id, command);
  return gateway.decisions.decideOffer(
    { offerId: offer.id, vendorId },
    { action: command.action, commandId, operatorId: operator.operatorId },
  );
}

const inParallel = async (count: number, work: (round: number) => Promise<void>): Promise<void> => {
  await Promise.all(Array.from({ length: count }, (_, round) => work(round)));
};

const review = (gateway: TestGateway, offer: Offer) =>
  gateway.client.workflow.getHandle(offerReviewId(offer.id));

/** The id of the open run that has seen the offer in this status. */
const untilReviewIsOpen = (gateway: TestGateway, offer: Offer): Promise<string> =>
  vi.waitFor(async () => {
    const { status, searchAttributes, runId } = await review(gateway, offer).describe();
    expect([status.name, searchAttributes['ReviewState']]).toEqual(['RUNNING', [offer.status]]);
    return runId;
  }, waiting);

/** An offer that sells for 100.00, its first review over. */
async function seedApproved({
  gateway,
  variantId,
  operator,
  vendorId,
}: Pick<Fixtures, 'gateway' | 'variantId' | 'operator' | 'vendorId'>): Promise<Offer> {
  const offer = await seedOffer(gateway.sql, vendorId, { variantId });
  expect(await decide({ gateway, operator, vendorId }, offer, approval(variantId))).toMatchObject({
    ok: true,
  });
  await review(gateway, offer).result();
  return stored(gateway, offer);
}

/** The same with a cost of 120.00 that waits for a reviewer, its second review open. */
async function seedStaged({
  gateway,
  variantId,
  operator,
  vendorId,
}: Pick<Fixtures, 'gateway' | 'variantId' | 'operator' | 'vendorId'>): Promise<Offer> {
  const staged = await pushCost(
    gateway,
    vendorId,
    await seedApproved({ gateway, variantId, operator, vendorId }),
    12_000,
  );
  await untilReviewIsOpen(gateway, staged);
  return staged;
}

async function stored(gateway: TestGateway, { id }: Offer): Promise<Offer> {
  const offer = await findAnyOffer(gateway.sql, id);
  if (offer === null) throw new Error('no such offer');
  return offer;
}

const sells = async (gateway: TestGateway, { id }: Offer) => {
  const option = await findSupplyOption(gateway.sql, id);
  return option === null ? null : [option.net, option.sellNet, option.payoutNet, option.isPaused];
};

describe('a staged price', () => {
  test('opens a review by itself; a reviewer applies it, and the offer sells for it', async ({
    gateway,
    variantId,
    operator,
    vendorId,
  }) => {
    const approved = await seedApproved({ gateway, variantId, operator, vendorId });
    const { runId } = await review(gateway, approved).describe();

    const staged = await pushCost(gateway, vendorId, approved, 12_000);
    expect(await untilReviewIsOpen(gateway, staged)).not.toBe(runId);
    expect(await sells(gateway, staged)).toEqual([10_000, '12500', 10_000, false]);
    const outcome = await decide(
      { gateway, operator, vendorId },
      staged,
      price('applyPrice', staged.version),
    );

    expect(outcome).toMatchObject({
      ok: true,
      value: {
        decision: 'PriceApplied',
        status: 'Approved',
        isAwaitingDecision: false,
        version: 4,
      },
    });
    expect(await review(gateway, staged).result()).toMatchObject({ decision: 'PriceApplied' });
    const { cost, pendingCost, awaitingSince } = await stored(gateway, staged);
    expect([cost.netHalalas, pendingCost, awaitingSince]).toEqual([12_000, null, null]);
    expect(await sells(gateway, staged)).toEqual([12_000, '15000', 12_000, false]);
    await recordHistory(gateway.client, offerReviewId(staged.id), 'offer-review-price-applied');
  });

  test('that a reviewer discards leaves the offer as it sells', async ({
    gateway,
    variantId,
    operator,
    vendorId,
  }) => {
    const staged = await seedStaged({ gateway, variantId, operator, vendorId });

    const outcome = await decide(
      { gateway, operator, vendorId },
      staged,
      price('discardPrice', staged.version),
    );

    expect(outcome).toMatchObject({
      ok: true,
      value: {
        decision: 'PriceDiscarded',
        status: 'Approved',
        isAwaitingDecision: false,
        version: 4,
      },
    });
    expect(await review(gateway, staged).result()).toMatchObject({ decision: 'PriceDiscarded' });
    const { cost, pendingCost, awaitingSince } = await stored(gateway, staged);
    expect([cost.netHalalas, pendingCost, awaitingSince]).toEqual([10_000, null, null]);
    expect(await sells(gateway, staged)).toEqual([10_000, '12500', 10_000, false]);
    await recordHistory(gateway.client, offerReviewId(staged.id), 'offer-review-price-discarded');
  });

  test('that the vendor takes back, by pushing the live one, ends its review without a decision', async ({
    gateway,
    variantId,
    operator,
    vendorId,
  }) => {
    const staged = await seedStaged({ gateway, variantId, operator, vendorId });

    await pushCost(gateway, vendorId, staged, 10_000);

    expect(await review(gateway, staged).result()).toBeNull();
    expect(await stored(gateway, staged)).toMatchObject({ status: 'Approved', pendingCost: null });
    await recordHistory(gateway.client, offerReviewId(staged.id), 'offer-review-price-taken-back');
  });

  test('is decided on with one event for the vendor, and one entry in the audit log', async ({
    gateway,
    variantId,
    operator,
    vendorId,
  }) => {
    const { SECRETS_KEY } = gateway.config;
    const staged = await seedStaged({ gateway, variantId, operator, vendorId });
    const subscription = await seedSubscription(
      gateway.sql,
      vendorId,
      'http://127.0.0.1:9/hook',
      SECRETS_KEY,
    );

    await decide({ gateway, operator, vendorId }, staged, {
      ...price('applyPrice'),
      reason: 'Fair',
    });

    const events = await gateway.sql<{ decision: string; reason: string }[]>`
      select body::jsonb -> 'data' ->> 'decision' as decision, body::jsonb -> 'data' ->> 'reason' as reason
      from webhook_events join webhook_deliveries on event_id = webhook_events.id
      where subscription_id = ${subscription.id}`;
    expect(events).toEqual([{ decision: 'PriceApplied', reason: 'Fair' }]);
    const entries = await gateway.sql<{ action: string }[]>`
      select action from audit_log where subject_id = ${staged.id} order by id`;
    expect(entries.map(({ action }) => action)).toEqual(['offer.approve', 'offer.applyPrice']);
    expect(await readableHistory(gateway.client, offerReviewId(staged.id))).not.toContain('Fair');
  });

  test('that is not there can be neither applied nor discarded: no run stays open for it', async ({
    gateway,
    variantId,
    operator,
    vendorId,
  }) => {
    const approved = await seedApproved({ gateway, variantId, operator, vendorId });

    for (const action of ['applyPrice', 'discardPrice'] as const) {
      const refused = await decide({ gateway, operator, vendorId }, approved, price(action));
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
    gateway,
    variantId,
    operator,
    vendorId,
  }) => {
    const offer = await seedOffer(gateway.sql, vendorId, { variantId });
    const runId = await untilReviewIsOpen(gateway, offer);

    const refused = await decide({ gateway, operator, vendorId }, offer, price('applyPrice'));

    expect(refused).toMatchObject({ failure: { code: 'BUSINESS_OFFER_NO_PENDING_PRICE' } });
    expect(await untilReviewIsOpen(gateway, offer)).toBe(runId);
    expect(await decide({ gateway, operator, vendorId }, offer, approval(variantId))).toMatchObject(
      { ok: true },
    );
  });

  test('applied and discarded at once has one outcome, and the other is told that nothing is staged', async ({
    gateway,
    variantId,
    operator,
    vendorId,
  }) => {
    await inParallel(10, async (round) => {
      const staged = await seedStaged({ gateway, variantId, operator, vendorId });
      const both = [price('applyPrice'), price('discardPrice')];
      const outcomes = await Promise.all(
        (round % 2 === 0 ? both : both.toReversed()).map((command) =>
          decide({ gateway, operator, vendorId }, staged, command),
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
    gateway,
    variantId,
    operator,
    vendorId,
  }) => {
    let staged = await seedStaged({ gateway, variantId, operator, vendorId });
    for (let round = 0; round < 10; round += 1) {
      const [outcome, pushed] = await Promise.all([
        decide({ gateway, operator, vendorId }, staged, price('applyPrice', staged.version)),
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

describe('a review', () => {
  test('takes up an edit that comes while it waits, and refuses a decision on what was before', async ({
    gateway,
    variantId,
    operator,
    vendorId,
  }) => {
    const offer = await seedOffer(gateway.sql, vendorId, { variantId });
    const runId = await untilReviewIsOpen(gateway, offer);

    const edited = await edit(gateway, vendorId, offer, { rawProductName: 'Oud 50, new' });
    const refused = await decide(
      { gateway, operator, vendorId },
      offer,
      approval(variantId, offer.version),
    );

    expect(refused).toMatchObject({
      failure: { code: 'CONFLICT_VERSION', details: { expectedVersion: 1, version: 2 } },
    });
    expect(await untilReviewIsOpen(gateway, edited)).toBe(runId);
    expect(
      await decide({ gateway, operator, vendorId }, edited, approval(variantId, edited.version)),
    ).toMatchObject({ value: { version: 3 } });
    await review(gateway, edited).result();
    await recordHistory(gateway.client, offerReviewId(edited.id), 'offer-review-edited');
  });

  test('that meets an edit at the same moment decides on the old or refuses, and stays open if needed', async ({
    gateway,
    variantId,
    operator,
    vendorId,
  }) => {
    await inParallel(8, async (round) => {
      const offer = await seedOffer(gateway.sql, vendorId, { variantId });
      const [outcome] = await Promise.all([
        decide({ gateway, operator, vendorId }, offer, approval(variantId, offer.version)),
        edit(gateway, vendorId, offer, { rawProductName: `Oud ${round}` }),
      ]);

      // Approved first: the edit is an identity change, and the offer is back in review.
      const after = await stored(gateway, offer);
      expect(after).toMatchObject({ status: 'PendingReview', version: outcome.ok ? 3 : 2 });
      if (!outcome.ok) expect(outcome).toMatchObject({ failure: { code: 'CONFLICT_VERSION' } });
      expect(
        await decide({ gateway, operator, vendorId }, offer, approval(variantId, after.version)),
      ).toMatchObject({ ok: true });
      await review(gateway, offer).result();
      await replayRun(gateway.client, offerReviewId(offer.id));
    });
  });

  test('ends without a decision when the vendor withdraws the offer', async ({
    gateway,
    variantId,
    operator,
    vendorId,
  }) => {
    const offer = await seedOffer(gateway.sql, vendorId, { variantId });
    const runId = await untilReviewIsOpen(gateway, offer);

    await move(gateway, vendorId, offer, 'withdraw');

    expect(await review(gateway, offer).result()).toBeNull();
    expect((await review(gateway, offer).describe()).runId).toBe(runId);
    await recordHistory(gateway.client, offerReviewId(offer.id), 'offer-review-withdrawn');
    const refused = await decide({ gateway, operator, vendorId }, offer, approval(variantId));
    expect(refused).toMatchObject({ failure: { code: 'BUSINESS_OFFER_INVALID_TRANSITION' } });
    expect(await stored(gateway, offer)).toMatchObject({
      status: 'Withdrawn',
      version: 2,
      supply: null,
    });
  });

  test('that meets a withdrawal at the same moment has one outcome, and nothing that sells stays behind', async ({
    gateway,
    variantId,
    operator,
    vendorId,
  }) => {
    await inParallel(8, async () => {
      const offer = await seedOffer(gateway.sql, vendorId, { variantId });
      const [outcome] = await Promise.all([
        decide({ gateway, operator, vendorId }, offer, approval(variantId)),
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

  test('of a staged price ends without a decision when the offer is suspended; the price stays staged', async ({
    gateway,
    variantId,
    operator,
    vendorId,
  }) => {
    const staged = await seedStaged({ gateway, variantId, operator, vendorId });

    await move(gateway, vendorId, staged, 'suspend');

    expect(await review(gateway, staged).result()).toBeNull();
    const suspended = await stored(gateway, staged);
    expect(suspended).toMatchObject({ status: 'Suspended', pendingCost: { netHalalas: 12_000 } });
    expect(await sells(gateway, staged)).toEqual([10_000, '12500', 10_000, true]);
    await recordHistory(gateway.client, offerReviewId(staged.id), 'offer-review-suspended');
  });

  test('ends without a decision when the agreement is switched, and begins again with the new price', async ({
    gateway,
    variantId,
    operator,
    vendorId,
  }) => {
    const staged = await seedStaged({ gateway, variantId, operator, vendorId });
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
    expect(
      await decide({ gateway, operator, vendorId }, repriced, approval(variantId)),
    ).toMatchObject({ value: { status: 'Approved' } });
    expect(await sells(gateway, staged)).toEqual([15_000, '15000', 13_500, false]);
  });

  test('of an offer that is sent in again after its rejection is a new run under the same id', async ({
    gateway,
    variantId,
    operator,
    vendorId,
  }) => {
    const offer = await seedOffer(gateway.sql, vendorId, { variantId });
    await decide({ gateway, operator, vendorId }, offer, {
      action: 'reject',
      reason: 'A wrong name',
      expectedVersion: null,
    });
    expect(await review(gateway, offer).result()).toMatchObject({ decision: 'Rejected' });
    const { runId } = await review(gateway, offer).describe();

    const again = await edit(gateway, vendorId, offer, { rawProductName: 'Oud 50 ml' });

    expect(await untilReviewIsOpen(gateway, again)).not.toBe(runId);
    expect(await decide({ gateway, operator, vendorId }, again, approval(variantId))).toMatchObject(
      { value: { status: 'Approved' } },
    );
    expect(await review(gateway, offer).result()).toMatchObject({ decision: 'Approved' });
    await recordHistory(gateway.client, offerReviewId(offer.id), 'offer-review-resubmitted');
  });

  test('of an offer that is withdrawn and sent in again at once goes on', async ({
    gateway,
    variantId,
    operator,
    vendorId,
  }) => {
    const offer = await seedOffer(gateway.sql, vendorId, { variantId });
    await untilReviewIsOpen(gateway, offer);

    await move(gateway, vendorId, offer, 'withdraw');
    const again = await move(gateway, vendorId, offer, 'submit');

    await vi.waitFor(
      async () => expect(await gateway.sql`select from outbox`).toHaveLength(0),
      waiting,
    );
    await untilReviewIsOpen(gateway, again);
    expect(
      await decide({ gateway, operator, vendorId }, again, approval(variantId, again.version)),
    ).toMatchObject({ value: { version: 4 } });
    await review(gateway, again).result();
    await recordHistory(
      gateway.client,
      offerReviewId(again.id),
      'offer-review-withdrawn-and-resubmitted',
    );
  });
});

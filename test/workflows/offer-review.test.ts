import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findAnyOffer } from '../../db/offers/offers.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import { offerReviewId } from '../../workflows/ids.ts';
import { readableHistory, recordHistory, replayRun } from '../support/history.ts';
import { createTestGateway, type TestGateway } from '../support/gateway.ts';
import { seedCommand, seedOffer, seedOperator, seedVariant, seedVendor } from '../support/seed.ts';

let gateway: TestGateway;
let vendorId: string;
let variantId: string;
let operator: { readonly id: string; readonly operatorId: string };

beforeAll(async () => {
  gateway = await createTestGateway();
  await gateway.startWorker();
  [vendorId, variantId, operator] = await Promise.all([
    seedVendor(gateway.sql),
    seedVariant(gateway.sql),
    seedOperator(gateway.sql),
  ]);
});
afterAll(() => gateway.stop());

type Decision = { readonly action: 'approve' | 'reject'; readonly commandId: string };

const decide = (offer: Offer, { action, commandId }: Decision) =>
  gateway.decisions.decideOffer(
    { offerId: offer.id, vendorId: offer.vendorId },
    { action, commandId, operatorId: operator.operatorId },
  );

async function approve(offer: Offer, expectedVersion: number | null = null): Promise<Decision> {
  const command = { action: 'approve', variantId, expectedVersion } as const;
  return {
    action: 'approve',
    commandId: await seedCommand(gateway.sql, operator.id, offer.id, command),
  };
}

async function reject(offer: Offer): Promise<Decision> {
  const command = { action: 'reject', reason: 'Not a known brand', expectedVersion: null } as const;
  return {
    action: 'reject',
    commandId: await seedCommand(gateway.sql, operator.id, offer.id, command),
  };
}

const review = (offer: Offer) => gateway.client.workflow.getHandle(offerReviewId(offer.id));

/** The run that the relay opened; it may not be there yet. */
const untilReviewIsOpen = (offer: Offer): Promise<void> =>
  vi.waitFor(
    async () => {
      const description = await review(offer).describe();
      expect(description.searchAttributes['ReviewState']).toEqual([offer.status]);
    },
    { timeout: 20_000, interval: 20 },
  );

describe('a review', () => {
  test('opens by itself for a submitted offer, and ends with the approval that its Update carries', async () => {
    const offer = await seedOffer(gateway.sql, vendorId);
    await untilReviewIsOpen(offer);

    const outcome = await decide(offer, await approve(offer));

    expect(outcome).toMatchObject({
      ok: true,
      value: { decision: 'Approved', status: 'Approved', isAwaitingDecision: false, version: 2 },
    });
    await review(offer).result();
    const approved = await findAnyOffer(gateway.sql, offer.id);
    expect(approved).toMatchObject({ status: 'Approved', variantId, barcode: '4006381333931' });
    expect(approved?.supply).toMatchObject({ isPaused: false });
    await recordHistory(gateway.client, offerReviewId(offer.id), 'offer-review-approved');
  });

  test('ends with the rejection that its Update carries', async () => {
    const offer = await seedOffer(gateway.sql, vendorId);
    await untilReviewIsOpen(offer);

    const outcome = await decide(offer, await reject(offer));

    expect(outcome).toMatchObject({
      ok: true,
      value: { decision: 'Rejected', status: 'Rejected' },
    });
    await review(offer).result();
    const rejected = await findAnyOffer(gateway.sql, offer.id);
    expect(rejected).toMatchObject({ status: 'Rejected', reviewReason: 'Not a known brand' });
    await recordHistory(gateway.client, offerReviewId(offer.id), 'offer-review-rejected');
  });

  test('is started by the decision itself where no run is open', async () => {
    const offer = await seedOffer(gateway.sql, vendorId, { saveAsDraft: true });

    const outcome = await decide(offer, await reject(offer));

    expect(outcome).toMatchObject({ ok: true, value: { status: 'Rejected' } });
    await review(offer).result();
    await recordHistory(
      gateway.client,
      offerReviewId(offer.id),
      'offer-review-started-by-decision',
    );
  });

  test('replays whatever the order in which its start, its first look and a decision met', async () => {
    for (let round = 0; round < 15; round += 1) {
      const offer = await seedOffer(gateway.sql, vendorId, { saveAsDraft: round % 2 === 0 });
      await decide(offer, await reject(offer));
      await replayRun(gateway.client, offerReviewId(offer.id));
    }
  });

  test('keeps running after a refused decision, and tells the refusal by its code', async () => {
    const offer = await seedOffer(gateway.sql, vendorId);
    await untilReviewIsOpen(offer);

    const refused = await decide(offer, await approve(offer, 7));

    expect(refused).toEqual({
      ok: false,
      failure: { code: 'CONFLICT_VERSION', details: { expectedVersion: 7, version: 1 } },
    });
    expect((await review(offer).describe()).status.name).toBe('RUNNING');
    expect(await findAnyOffer(gateway.sql, offer.id)).toEqual(offer);
    expect(await decide(offer, await approve(offer))).toMatchObject({ ok: true });
    await review(offer).result();
    await recordHistory(
      gateway.client,
      offerReviewId(offer.id),
      'offer-review-refused-then-approved',
    );
  });

  test('gives two decisions at once one winner, and tells the other that it came too late', async () => {
    for (let round = 0; round < 10; round += 1) {
      const offer = await seedOffer(gateway.sql, vendorId);
      const [approval, rejection] = await Promise.all([approve(offer), reject(offer)]);
      const outcomes = await Promise.all([decide(offer, approval), decide(offer, rejection)]);

      const won = outcomes.filter(({ ok }) => ok);
      expect(won).toHaveLength(1);
      const lost = outcomes.find(({ ok }) => !ok);
      expect(lost).toMatchObject({ failure: { code: 'BUSINESS_OFFER_INVALID_TRANSITION' } });
      const [changes] = await gateway.sql<[{ count: number }]>`
        select count(*)::int as count from offer_status_changes
        where offer_id = ${offer.id} and from_status is not null`;
      expect(changes.count).toBe(1);
      await replayRun(gateway.client, offerReviewId(offer.id));
    }
  });

  test('applies a decision once, however often it is sent', async () => {
    const offer = await seedOffer(gateway.sql, vendorId);
    const decision = await approve(offer);

    const outcomes = [await decide(offer, decision), await decide(offer, decision)];

    expect(outcomes).toMatchObject([{ ok: true }, { ok: true }]);
    expect(await findAnyOffer(gateway.sql, offer.id)).toMatchObject({
      status: 'Approved',
      version: 2,
    });
    const [entries] = await gateway.sql<[{ count: number }]>`
      select count(*)::int as count from audit_log where subject_id = ${offer.id}`;
    expect(entries.count).toBe(1);
  });

  test('refuses a decision that nobody waits for any more, and changes nothing', async () => {
    const offer = await seedOffer(gateway.sql, vendorId);
    const command = { action: 'approve', variantId, expectedVersion: null } as const;
    const commandId = await seedCommand(gateway.sql, operator.id, offer.id, command, -1);

    const outcome = await decide(offer, { action: 'approve', commandId });

    expect(outcome).toMatchObject({ ok: false, failure: { code: 'GATEWAY_TIMEOUT' } });
    expect(await findAnyOffer(gateway.sql, offer.id)).toEqual(offer);
    expect(await decide(offer, await reject(offer))).toMatchObject({ ok: true });
  });

  test('shows who decided in its history, and no free text', async () => {
    const offer = await seedOffer(gateway.sql, vendorId);
    await decide(offer, await reject(offer));
    await review(offer).result();

    const history = await readableHistory(gateway.client, offerReviewId(offer.id));

    expect(history).toContain(operator.operatorId);
    expect(history).not.toContain('Not a known brand');
    expect(history).not.toContain('Maison Dahab');
  });
});

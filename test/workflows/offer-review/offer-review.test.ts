import { describe, expect, vi } from 'vitest';
import { findAnyOffer } from '../../../db/offers/offers.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { offerReviewId } from '../../../workflows/ids.ts';
import { readableHistory, recordHistory, replayRun } from '../../support/history.ts';
import { type TestGateway } from '../../support/gateway/gateway.ts';
import {
  seedCommand,
  seedOffer,
  seedOperator,
  seedVariant,
  seedVendor,
} from '../../support/seeds/seed.ts';
import { workflowTest } from '../../support/gateway/workflow-test.ts';

/** What helpers need of a test's fixtures. */
type Fixtures = {
  readonly gateway: TestGateway;
  readonly variantId: string;
  readonly operator: { readonly id: string; readonly operatorId: string };
};

// Each test has offers of its own: they run side by side.
const { concurrent: test } = workflowTest
  .extend('vendorId', { scope: 'file' }, ({ gateway }) => seedVendor(gateway.sql))
  .extend('variantId', { scope: 'file' }, ({ gateway }) => seedVariant(gateway.sql))
  .extend('operator', { scope: 'file' }, ({ gateway }) => seedOperator(gateway.sql));

type Decision = { readonly action: 'approve' | 'reject'; readonly commandId: string };

const decide = (
  gateway: TestGateway,
  operator: { readonly id: string; readonly operatorId: string },
  offer: Offer,
  { action, commandId }: Decision,
) =>
  gateway.decisions.decideOffer(
    { offerId: offer.id, vendorId: offer.vendorId },
    { action, commandId, operatorId: operator.operatorId },
  );

async function approve(
  { gateway, variantId, operator }: Pick<Fixtures, 'gateway' | 'variantId' | 'operator'>,
  offer: Offer,
  expectedVersion: number | null = null,
): Promise<Decision> {
  const command = { action: 'approve', variantId, expectedVersion } as const;
  return {
    action: 'approve',
    commandId: await seedCommand(gateway.sql, operator.id, offer.id, command),
  };
}

async function reject(
  gateway: TestGateway,
  operator: { readonly id: string; readonly operatorId: string },
  offer: Offer,
): Promise<Decision> {
  const command = { action: 'reject', reason: 'Not a known brand', expectedVersion: null } as const;
  return {
    action: 'reject',
    commandId: await seedCommand(gateway.sql, operator.id, offer.id, command),
  };
}

const review = (gateway: TestGateway, offer: Offer) =>
  gateway.client.workflow.getHandle(offerReviewId(offer.id));

/** The run that the relay opened; it may not be there yet. */
const untilReviewIsOpen = (gateway: TestGateway, offer: Offer): Promise<void> =>
  vi.waitFor(
    async () => {
      const description = await review(gateway, offer).describe();
      expect(description.searchAttributes['ReviewState']).toEqual([offer.status]);
    },
    { timeout: 20_000, interval: 20 },
  );

describe('a review', () => {
  test('opens by itself for a submitted offer, and ends with the approval of its Update', async ({
    gateway,
    vendorId,
    variantId,
    operator,
  }) => {
    const offer = await seedOffer(gateway.sql, vendorId);
    await untilReviewIsOpen(gateway, offer);

    const outcome = await decide(
      gateway,
      operator,
      offer,
      await approve({ gateway, variantId, operator }, offer),
    );

    expect(outcome).toMatchObject({
      ok: true,
      value: { decision: 'Approved', status: 'Approved', isAwaitingDecision: false, version: 2 },
    });
    await review(gateway, offer).result();
    const approved = await findAnyOffer(gateway.sql, offer.id);
    expect(approved).toMatchObject({ status: 'Approved', variantId, barcode: '4006381333931' });
    expect(approved?.supply).toMatchObject({ isPaused: false });
    await recordHistory(gateway.client, offerReviewId(offer.id), 'offer-review-approved');
  });

  test('ends with the rejection that its Update carries', async ({
    gateway,
    vendorId,
    operator,
  }) => {
    const offer = await seedOffer(gateway.sql, vendorId);
    await untilReviewIsOpen(gateway, offer);

    const outcome = await decide(gateway, operator, offer, await reject(gateway, operator, offer));

    expect(outcome).toMatchObject({
      ok: true,
      value: { decision: 'Rejected', status: 'Rejected' },
    });
    await review(gateway, offer).result();
    const rejected = await findAnyOffer(gateway.sql, offer.id);
    expect(rejected).toMatchObject({ status: 'Rejected', reviewReason: 'Not a known brand' });
    await recordHistory(gateway.client, offerReviewId(offer.id), 'offer-review-rejected');
  });

  test('is started by the decision itself where no run is open', async ({
    gateway,
    vendorId,
    operator,
  }) => {
    const offer = await seedOffer(gateway.sql, vendorId, { saveAsDraft: true });

    const outcome = await decide(gateway, operator, offer, await reject(gateway, operator, offer));

    expect(outcome).toMatchObject({ ok: true, value: { status: 'Rejected' } });
    await review(gateway, offer).result();
    await recordHistory(
      gateway.client,
      offerReviewId(offer.id),
      'offer-review-started-by-decision',
    );
  });

  test('replays whatever the order in which its start, its first look and a decision met', async ({
    gateway,
    vendorId,
    operator,
  }) => {
    for (let round = 0; round < 15; round += 1) {
      const offer = await seedOffer(gateway.sql, vendorId, { saveAsDraft: round % 2 === 0 });
      await decide(gateway, operator, offer, await reject(gateway, operator, offer));
      await replayRun(gateway.client, offerReviewId(offer.id));
    }
  });

  test('keeps running after a refused decision and answers the code of the refusal', async ({
    gateway,
    vendorId,
    variantId,
    operator,
  }) => {
    const offer = await seedOffer(gateway.sql, vendorId);
    await untilReviewIsOpen(gateway, offer);

    const refused = await decide(
      gateway,
      operator,
      offer,
      await approve({ gateway, variantId, operator }, offer, 7),
    );

    expect(refused).toEqual({
      ok: false,
      failure: { code: 'CONFLICT_VERSION', details: { expectedVersion: 7, reviewVersion: 1 } },
    });
    expect((await review(gateway, offer).describe()).status.name).toBe('RUNNING');
    expect(await findAnyOffer(gateway.sql, offer.id)).toEqual(offer);
    expect(
      await decide(
        gateway,
        operator,
        offer,
        await approve({ gateway, variantId, operator }, offer),
      ),
    ).toMatchObject({ ok: true });
    await review(gateway, offer).result();
    await recordHistory(
      gateway.client,
      offerReviewId(offer.id),
      'offer-review-refused-then-approved',
    );
  });

  test('applies one of two simultaneous decisions and refuses the other', async ({
    gateway,
    vendorId,
    variantId,
    operator,
  }) => {
    for (let round = 0; round < 10; round += 1) {
      const offer = await seedOffer(gateway.sql, vendorId);
      const [approval, rejection] = await Promise.all([
        approve({ gateway, variantId, operator }, offer),
        reject(gateway, operator, offer),
      ]);
      const outcomes = await Promise.all([
        decide(gateway, operator, offer, approval),
        decide(gateway, operator, offer, rejection),
      ]);

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

  test('applies a decision once, however often it is sent', async ({
    gateway,
    vendorId,
    variantId,
    operator,
  }) => {
    const offer = await seedOffer(gateway.sql, vendorId);
    const decision = await approve({ gateway, variantId, operator }, offer);

    const outcomes = [
      await decide(gateway, operator, offer, decision),
      await decide(gateway, operator, offer, decision),
    ];

    expect(outcomes).toMatchObject([{ ok: true }, { ok: true }]);
    expect(await findAnyOffer(gateway.sql, offer.id)).toMatchObject({
      status: 'Approved',
      version: 2,
    });
    const [entries] = await gateway.sql<[{ count: number }]>`
      select count(*)::int as count from audit_log where subject_id = ${offer.id}`;
    expect(entries.count).toBe(1);
  });

  test('refuses a decision after its caller’s timeout, and changes nothing', async ({
    gateway,
    vendorId,
    variantId,
    operator,
  }) => {
    const offer = await seedOffer(gateway.sql, vendorId);
    const command = { action: 'approve', variantId, expectedVersion: null } as const;
    const commandId = await seedCommand(gateway.sql, operator.id, offer.id, command, -1);

    const outcome = await decide(gateway, operator, offer, { action: 'approve', commandId });

    expect(outcome).toMatchObject({ ok: false, failure: { code: 'GATEWAY_TIMEOUT' } });
    expect(await findAnyOffer(gateway.sql, offer.id)).toEqual(offer);
    expect(
      await decide(gateway, operator, offer, await reject(gateway, operator, offer)),
    ).toMatchObject({ ok: true });
  });

  test('shows who decided in its history, and no free text', async ({
    gateway,
    vendorId,
    operator,
  }) => {
    const offer = await seedOffer(gateway.sql, vendorId);
    await decide(gateway, operator, offer, await reject(gateway, operator, offer));
    await review(gateway, offer).result();

    const history = await readableHistory(gateway.client, offerReviewId(offer.id));

    expect(history).toContain(operator.operatorId);
    expect(history).not.toContain('Not a known brand');
    expect(history).not.toContain('Maison Dahab');
  });
});

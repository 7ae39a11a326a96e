import { expect, vi } from 'vitest';
import { findAnyOffer } from '../../../db/offers/offers.ts';
import { offerReviewId } from '../../../workflows/ids.ts';
import { createTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';
import {
  seedCommand,
  seedOffer,
  seedOperator,
  seedVariant,
  seedVendor,
} from '../../support/seeds/seed.ts';
import { restartTest as test } from '../../support/gateway/workflow-test.ts';

const waitingMessages = async (gateway: TestGateway): Promise<number> => {
  const [row] = await gateway.sql<[{ count: number }]>`select count(*)::int as count from outbox`;
  return row.count;
};

test('begins when a worker is back', async ({ gateway }) => {
  const vendorId = await seedVendor(gateway.sql);
  const offers = await Promise.all([1, 2, 3].map(() => seedOffer(gateway.sql, vendorId)));
  expect(await waitingMessages(gateway)).toBe(3);

  await gateway.startWorker();

  await vi.waitFor(async () => expect(await waitingMessages(gateway)).toBe(0), { timeout: 20_000 });
  for (const offer of offers) {
    const description = await gateway.client.workflow.getHandle(offerReviewId(offer.id)).describe();
    expect(description.status.name).toBe('RUNNING');
  }
});

test('continues with another worker', async ({ gateway }) => {
  const vendorId = await seedVendor(gateway.sql);
  const variantId = await seedVariant(gateway.sql);
  const operator = await seedOperator(gateway.sql);
  const first = await gateway.startWorker();
  const offer = await seedOffer(gateway.sql, vendorId);
  await vi.waitFor(async () => expect(await waitingMessages(gateway)).toBe(0), { timeout: 20_000 });
  await first.stop();

  await gateway.startWorker();
  const commandId = await seedCommand(gateway.sql, operator.id, offer.id, {
    action: 'approve',
    variantId,
    expectedVersion: 1,
  });
  const outcome = await gateway.decisions.decideOffer(
    { offerId: offer.id, vendorId },
    { action: 'approve', commandId, operatorId: operator.operatorId },
  );

  expect(outcome).toMatchObject({ ok: true, value: { status: 'Approved' } });
  expect(await findAnyOffer(gateway.sql, offer.id)).toMatchObject({ status: 'Approved' });
});

test('a decision without a worker ends at its deadline and is not applied twice', async () => {
  const impatient = await createTestGateway({ DECISION_TIMEOUT_MS: '500' });
  try {
    const vendorId = await seedVendor(impatient.sql);
    const operator = await seedOperator(impatient.sql);
    const offer = await seedOffer(impatient.sql, vendorId);
    const commandId = await seedCommand(impatient.sql, operator.id, offer.id, {
      action: 'reject',
      reason: 'No',
      expectedVersion: null,
    });
    const input = { offerId: offer.id, vendorId };
    const decision = { action: 'reject', commandId, operatorId: operator.operatorId } as const;

    await expect(impatient.decisions.decideOffer(input, decision)).rejects.toThrow(/./);

    await impatient.startWorker();
    await vi.waitFor(
      async () =>
        expect(await impatient.decisions.decideOffer(input, decision)).toMatchObject({ ok: true }),
      { timeout: 20_000 },
    );
    expect(await findAnyOffer(impatient.sql, offer.id)).toMatchObject({
      status: 'Rejected',
      version: 2,
    });
  } finally {
    await impatient.stop();
  }
});

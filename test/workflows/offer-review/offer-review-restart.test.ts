import { expect, vi } from 'vitest';
import { findAnyOffer } from '../../../db/offers/offers.ts';
import { createDecisions } from '../../../temporal/decisions.ts';
import { offerReviewId } from '../../../workflows/ids.ts';
import { decideOffer, sendDecision } from '../../support/gateway/runs.ts';
import { restartTest as test } from '../../support/gateway/workflow-test.ts';
import {
  seedCommand,
  seedOffer,
  seedOperator,
  seedVariant,
  seedVendor,
} from '../../support/seeds/seed.ts';

const waiting = { timeout: 20_000 };

test('begins when a worker is back, and continues with another', async ({ gateway }) => {
  const { sql, client } = gateway;
  const [vendorId, variantId] = [await seedVendor(sql), await seedVariant(sql)];
  const operator = await seedOperator(sql);
  const offers = await Promise.all([1, 2, 3].map(() => seedOffer(sql, vendorId)));
  const messages = () => sql`select from outbox`;
  expect(await messages()).toHaveLength(3);

  const first = await gateway.startWorker();
  await vi.waitFor(async () => expect(await messages()).toHaveLength(0), waiting);
  for (const { id } of offers) {
    const { status } = await client.workflow.getHandle(offerReviewId(id)).describe();
    expect(status.name).toBe('RUNNING');
  }
  await first.stop();

  await gateway.startWorker();
  const [offer = expect.unreachable()] = offers;
  const command = { action: 'approve', variantId, expectedVersion: 1 } as const;
  const outcome = await decideOffer(gateway, operator, offer, command);
  expect(outcome).toMatchObject({ ok: true, value: { status: 'Approved' } });
  expect(await findAnyOffer(sql, offer.id)).toMatchObject({ status: 'Approved', version: 2 });
});

test('a decision without a worker ends at its deadline, and is applied once', async ({
  gateway,
}) => {
  const { sql } = gateway;
  const [vendorId, operator] = [await seedVendor(sql), await seedOperator(sql)];
  const offer = await seedOffer(sql, vendorId);
  const command = { action: 'reject', reason: 'No', expectedVersion: null } as const;
  const commandId = await seedCommand(sql, operator.id, offer.id, command);
  const { client, config } = gateway;
  const hasty = { taskQueue: config.TEMPORAL_TASK_QUEUE, timeoutMs: 500 };
  const impatient = { ...gateway, decisions: createDecisions(client, hasty) };
  const send = () => sendDecision(impatient, operator, offer, { action: 'reject', commandId });
  await expect(send()).rejects.toThrow(/./);

  await gateway.startWorker();
  await vi.waitFor(async () => expect(await send()).toMatchObject({ ok: true }), waiting);
  const rejected = { status: 'Rejected', version: 2 };
  expect(await findAnyOffer(sql, offer.id)).toMatchObject(rejected);
});

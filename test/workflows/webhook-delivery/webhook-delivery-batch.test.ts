import { describe, expect, vi } from 'vitest';
import type { WebhookDelivery } from '../../../db/webhooks/webhook-deliveries.ts';
import { webhookDeliveryBatchId } from '../../../workflows/ids.ts';
import type { BatchProgress } from '../../../workflows/webhooks/webhook-delivery-batch-messages.ts';
import type { webhookDeliveryBatch } from '../../../workflows/webhooks/webhook-delivery-batch.ts';
import { deliveriesOf, waiting } from '../../support/webhooks/delivery.ts';
import { type TestGateway } from '../../support/gateway/gateway.ts';
import { readableHistory, replayRun } from '../../support/history.ts';
import { status, statuses } from '../../support/webhooks/receiver.ts';
import { deliveryTest } from '../../support/webhooks/delivery-test.ts';

const hostConcurrency = 4;

const test = deliveryTest({
  WEBHOOK_RETRY_DELAYS_MS: '50,50',
  WEBHOOK_TIMEOUT_MS: '20000',
  WEBHOOK_RUNS_PER_SECOND: '0',
  WEBHOOK_HOST_CONCURRENCY: String(hostConcurrency),
});

/** The one batch that all deliveries are part of. */
function batchIdOf(deliveries: readonly WebhookDelivery[]): string {
  const [batchId, ...more] = new Set(deliveries.map((delivery) => delivery.batchId));
  expect(more).toEqual([]);
  if (batchId === undefined || batchId === null) throw new Error('no batch');
  return batchId;
}

async function batchContent(gateway: TestGateway, batchId: string) {
  const run = gateway.client.workflow.getHandle<typeof webhookDeliveryBatch>(
    webhookDeliveryBatchId(batchId),
  );
  await vi.waitFor(() => run.describe(), waiting);
  return run.result();
}

async function batchResult(gateway: TestGateway, batchId: string): Promise<BatchProgress> {
  const { members: _members, ...progress } = await batchContent(gateway, batchId);
  return progress;
}

describe('deliveries in a burst', () => {
  test('share one run, arrive once, and have no run of their own', async ({ gateway, fixture }) => {
    await fixture.emitMany(12);
    const batchId = batchIdOf(await fixture.untilBatched(12));

    expect(await batchResult(gateway, batchId)).toEqual({
      succeeded: 12,
      moved: 0,
      ended: 0,
      left: 0,
    });
    const deliveries = await deliveriesOf(gateway.sql, fixture.vendorId);
    expect(deliveries).toHaveLength(12);
    const { vendorId, subscription } = fixture;
    const eventIds = deliveries.map(({ eventId }) => eventId).toSorted();
    expect((await batchContent(gateway, batchId)).members).toContainEqual({
      vendorId,
      subscriptionId: subscription.id,
      eventIds,
    });
    for (const delivery of deliveries) {
      expect(delivery).toMatchObject({ state: 'succeeded', attempts: 1, batchId });
      expect(fixture.requestsOf(delivery)).toHaveLength(1);
      await expect(fixture.run(delivery.id).describe()).rejects.toThrow(/not found/);
    }
    await fixture.recordBatch(batchId, 'all-delivered');
  });

  test('that fail continue in runs of their own', async ({ receiver, gateway, fixture }) => {
    receiver.answerWith(statuses(500, 500, 500));
    await fixture.emitMany(12);
    const batched = await fixture.untilBatched(12);
    const batchId = batchIdOf(batched);

    expect(await batchResult(gateway, batchId)).toEqual({
      succeeded: 9,
      moved: 3,
      ended: 0,
      left: 0,
    });
    await fixture.untilOutboxIsEmpty();
    const attempts = await fixture.attempts();
    const firstFailed = new Set(
      attempts
        .filter(({ attemptNumber, succeeded }) => attemptNumber === 1 && !succeeded)
        .map(({ eventId }) => eventId),
    );
    expect(firstFailed.size).toBe(3);
    for (const { id, eventId } of batched) {
      if (firstFailed.has(eventId)) {
        const delivery = await fixture.ended(await fixture.stored(id));
        // Its row names its own run now.
        expect(delivery).toMatchObject({ state: 'succeeded', attempts: 2, batchId: null });
        expect(fixture.requestsOf(delivery)).toHaveLength(2);
        expect((await fixture.timers(delivery)).map(({ summary }) => summary)).toEqual([
          'after 500, until attempt 2 of 3',
        ]);
      } else {
        expect(await fixture.stored(id)).toMatchObject({
          state: 'succeeded',
          attempts: 1,
          batchId,
        });
        await expect(fixture.run(id).describe()).rejects.toThrow(/not found/);
      }
    }
    const [first] = firstFailed;
    const example = batched.find(({ eventId }) => eventId === first);
    if (example === undefined) throw new Error('none failed');
    await fixture.record(example, 'after-batch');
    await fixture.recordBatch(batchId, 'some-failed');
  });

  test('that fail to the end are dead letters', async ({ receiver, gateway, fixture }) => {
    receiver.answerWith(status(500));
    await fixture.emitMany(5);
    const batched = await fixture.untilBatched(5);
    for (const delivery of batched) {
      expect(await fixture.ended(delivery)).toMatchObject({ state: 'deadLettered', attempts: 3 });
      expect(fixture.requestsOf(delivery)).toHaveLength(3);
    }
    // The batch, whose members have all left it, needs no run.
    const batchId = batchIdOf(batched);
    await vi.waitFor(
      async () =>
        expect(await gateway.sql`select from outbox where subject_id = ${batchId}`).toHaveLength(0),
      waiting,
    );
    const run = gateway.client.workflow.getHandle(webhookDeliveryBatchId(batchId));
    await expect(run.describe()).rejects.toThrow(/not found/);
  });
});

test('limits the requests to a host from all runs', async ({ receiver, gateway, fixture }) => {
  let underWay = 0;
  let most = 0;
  let total = 0;
  receiver.answerWith((response) => {
    underWay += 1;
    total += 1;
    most = Math.max(most, underWay);
    // The last ones fail, so that their own runs and the batch share the host.
    const code = total > 50 && total <= 60 ? 500 : 200;
    // Long enough that all that may come are there at once.
    setTimeout(() => {
      underWay -= 1;
      response.writeHead(code).end();
    }, 30);
  });
  await fixture.emitMany(60);
  const batched = await fixture.untilBatched(60);
  expect(await batchResult(gateway, batchIdOf(batched))).toMatchObject({ moved: 10 });
  await vi.waitFor(async () => {
    const states = (await deliveriesOf(gateway.sql, fixture.vendorId)).map(({ state }) => state);
    expect(states).toEqual(batched.map(() => 'succeeded'));
  }, waiting);
  expect(total).toBe(70);
  expect(most).toBe(hostConcurrency);
});

test('writes no secret, body or URL into a history', async ({ receiver, gateway, fixture }) => {
  await fixture.emitMany(5, { reason: 'für alle Fälle ✓' });
  const batchId = batchIdOf(await fixture.untilBatched(5));
  await batchResult(gateway, batchId);
  const history = await readableHistory(gateway.client, webhookDeliveryBatchId(batchId));
  expect(history).toContain(batchId);
  for (const text of [
    fixture.subscription.secret.slice('whsec_'.length),
    'für alle Fälle',
    receiver.origin,
  ]) {
    expect(history).not.toContain(text);
  }
  await replayRun(gateway.client, webhookDeliveryBatchId(batchId));
});

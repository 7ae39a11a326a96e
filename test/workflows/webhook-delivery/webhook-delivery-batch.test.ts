import { describe, expect, vi } from 'vitest';
import type { WebhookDelivery } from '../../../db/webhooks/webhook-deliveries.ts';
import { webhookDeliveryBatchId } from '../../../workflows/ids.ts';
import {
  createDeliveryStage,
  deliveriesOf,
  emitSome,
  waiting,
} from '../../support/webhooks/delivery.ts';
import { type TestGateway } from '../../support/gateway.ts';
import { readableHistory, replayRun } from '../../support/history.ts';
import { holding, status, statuses, type TestReceiver } from '../../support/webhooks/receiver.ts';
import { workflowTest } from '../../support/workflow-test.ts';

const test = workflowTest
  .extend('settings', { scope: 'file' }, ({ receiver }) => ({
    // Two hosts for us, one machine for the test.
    WEBHOOK_ALLOWED_ORIGINS: `${receiver.origin},${slowOrigin(receiver)}`,
    WEBHOOK_RETRY_DELAYS_MS: '50,50',
    WEBHOOK_TIMEOUT_MS: '20000',
    WEBHOOK_HOST_CONCURRENCY: String(hostConcurrency),
  }))
  .extend('stage', ({ gateway, receiver }) => createDeliveryStage(gateway, receiver));

const hostConcurrency = 4;

test.afterEach(({ receiver }) => {
  receiver.answerWith(status(200));
});

const slowOrigin = (receiver: TestReceiver): string =>
  receiver.origin.replace('127.0.0.1', 'localhost');

/** The one dispatch that all deliveries are part of. */
function dispatchOf(deliveries: readonly WebhookDelivery[]): string {
  const [batchId, ...more] = new Set(deliveries.map((delivery) => delivery.batchId));
  expect(more).toEqual([]);
  if (batchId === undefined || batchId === null) throw new Error('no dispatch');
  return batchId;
}

async function dispatchResult(gateway: TestGateway, batchId: string): Promise<unknown> {
  const run = gateway.client.workflow.getHandle(webhookDeliveryBatchId(batchId));
  await vi.waitFor(() => run.describe(), waiting);
  return run.result();
}

describe('deliveries in a burst', () => {
  test('share one run, each arrives once, and none has a run of its own', async ({
    gateway,
    stage,
  }) => {
    await stage.emitMany(12);
    const batchId = dispatchOf(await stage.untilDispatched(12));

    expect(await dispatchResult(gateway, batchId)).toEqual({
      succeeded: 12,
      retrying: 0,
      ended: 0,
      left: 0,
    });
    const deliveries = await deliveriesOf(gateway.sql, stage.vendorId);
    expect(deliveries).toHaveLength(12);
    for (const delivery of deliveries) {
      expect(delivery).toMatchObject({ state: 'succeeded', attempts: 1, batchId });
      expect(stage.requestsOf(delivery)).toHaveLength(1);
      await expect(stage.run(delivery.id).describe()).rejects.toThrow(/not found/);
    }
    await stage.recordDispatch(batchId, 'all-delivered');
  });

  test('that fail go on in runs of their own from the second attempt; the others have none', async ({
    receiver,
    gateway,
    stage,
  }) => {
    receiver.answerWith(statuses(500, 500, 500));
    await stage.emitMany(12);
    const dispatched = await stage.untilDispatched(12);
    const batchId = dispatchOf(dispatched);

    expect(await dispatchResult(gateway, batchId)).toEqual({
      succeeded: 9,
      retrying: 3,
      ended: 0,
      left: 0,
    });
    await stage.untilOutboxIsEmpty();
    const attempts = await stage.attempts();
    const firstFailed = new Set(
      attempts
        .filter(({ attemptNumber, succeeded }) => attemptNumber === 1 && !succeeded)
        .map(({ eventId }) => eventId),
    );
    expect(firstFailed.size).toBe(3);
    for (const { id, eventId } of dispatched) {
      if (firstFailed.has(eventId)) {
        const delivery = await stage.ended(await stage.stored(id));
        // Its row names its own run now.
        expect(delivery).toMatchObject({ state: 'succeeded', attempts: 2, batchId: null });
        expect(stage.requestsOf(delivery)).toHaveLength(2);
        expect((await stage.timers(delivery)).map(({ summary }) => summary)).toEqual([
          'until attempt 2 of 3',
        ]);
      } else {
        expect(await stage.stored(id)).toMatchObject({ state: 'succeeded', attempts: 1, batchId });
        await expect(stage.run(id).describe()).rejects.toThrow(/not found/);
      }
    }
    const [first] = firstFailed;
    const example = dispatched.find(({ eventId }) => eventId === first);
    if (example === undefined) throw new Error('none failed');
    await stage.record(example, 'after-batch');
    await stage.recordDispatch(batchId, 'some-failed');
  });

  test('that fail to the end are dead-lettered after as many attempts as a delivery alone', async ({
    receiver,
    gateway,
    stage,
  }) => {
    receiver.answerWith(status(500));
    await stage.emitMany(5);
    const dispatched = await stage.untilDispatched(5);
    expect(await dispatchResult(gateway, dispatchOf(dispatched))).toMatchObject({ retrying: 5 });
    for (const delivery of dispatched) {
      expect(await stage.ended(delivery)).toMatchObject({ state: 'deadLettered', attempts: 3 });
      expect(stage.requestsOf(delivery)).toHaveLength(3);
    }
  });
});

test('a receiver that holds its answers does not keep the deliveries of others from arriving', async ({
  receiver,
  gateway,
  stage,
}) => {
  const slow = await createDeliveryStage(gateway, receiver, `${slowOrigin(receiver)}/slow`);
  const { held, answer, giveAll } = holding();
  let slowMost = 0;
  receiver.answerWith((response) => {
    if (response.req.url !== '/slow') return status(200)(response);
    answer(response);
    slowMost = Math.max(slowMost, held.length);
  });
  await gateway.sql.begin(async (transaction) => {
    await emitSome(transaction, slow.vendorId, 3 * hostConcurrency);
    await emitSome(transaction, stage.vendorId, 20);
  });
  const quick = await stage.untilDispatched(20);
  dispatchOf([...quick, ...(await slow.untilDispatched(3 * hostConcurrency))]);
  await vi.waitFor(async () => {
    expect(held).toHaveLength(hostConcurrency);
    const states = (await deliveriesOf(gateway.sql, stage.vendorId)).map(({ state }) => state);
    expect(states).toEqual(quick.map(() => 'succeeded'));
  }, waiting);

  // Those that wait for the slow one get their turn, and never more at a time than they may.
  receiver.answerWith((response) => {
    answer(response);
    slowMost = Math.max(slowMost, held.length);
    setImmediate(() => giveAll(200));
  });
  giveAll(200);
  const result = await dispatchResult(gateway, dispatchOf(quick));
  expect(result).toEqual({ succeeded: 20 + 3 * hostConcurrency, retrying: 0, ended: 0, left: 0 });
  expect(slowMost).toBe(hostConcurrency);
});

test('one receiving host has never more requests under way than it may, whatever runs they are of', async ({
  receiver,
  gateway,
  stage,
}) => {
  let underWay = 0;
  let most = 0;
  let total = 0;
  receiver.answerWith((response) => {
    underWay += 1;
    total += 1;
    most = Math.max(most, underWay);
    // The last ones fail, so that their own runs and the dispatch share the host.
    const code = total > 50 && total <= 60 ? 500 : 200;
    // Long enough that all that may come are there at once.
    setTimeout(() => {
      underWay -= 1;
      response.writeHead(code).end();
    }, 30);
  });
  await stage.emitMany(60);
  const dispatched = await stage.untilDispatched(60);
  expect(await dispatchResult(gateway, dispatchOf(dispatched))).toMatchObject({ retrying: 10 });
  await vi.waitFor(async () => {
    const states = (await deliveriesOf(gateway.sql, stage.vendorId)).map(({ state }) => state);
    expect(states).toEqual(dispatched.map(() => 'succeeded'));
  }, waiting);
  expect(total).toBe(70);
  expect(most).toBe(hostConcurrency);
});

test('the history of a dispatch has no secret, no body and no URL', async ({
  receiver,
  gateway,
  stage,
}) => {
  await stage.emitMany(5, { reason: 'für alle Fälle ✓' });
  const batchId = dispatchOf(await stage.untilDispatched(5));
  await dispatchResult(gateway, batchId);
  const history = await readableHistory(gateway.client, webhookDeliveryBatchId(batchId));
  expect(history).toContain(batchId);
  for (const text of [
    stage.subscription.secret.slice('whsec_'.length),
    'für alle Fälle',
    receiver.origin,
  ]) {
    expect(history).not.toContain(text);
  }
  await replayRun(gateway.client, webhookDeliveryBatchId(batchId));
});

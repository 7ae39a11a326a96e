import { expect, vi } from 'vitest';
import { webhookDeliveryBatchId } from '../../../workflows/ids.ts';
import {
  batchIdOf,
  deliveriesOf,
  expectNoSecret,
  waiting,
} from '../../support/webhooks/delivery.ts';
import { deliveryTest } from '../../support/webhooks/delivery-test.ts';
import { status, statuses } from '../../support/webhooks/receiver.ts';

const hostConcurrency = 4;
const none = { succeeded: 0, moved: 0, ended: 0, left: 0 };

const test = deliveryTest({
  WEBHOOK_RETRY_DELAYS_MS: '50,50',
  WEBHOOK_TIMEOUT_MS: '20000',
  WEBHOOK_RUNS_PER_SECOND: '0',
  WEBHOOK_HOST_CONCURRENCY: String(hostConcurrency),
});

test('delivers a burst once in one run, without runs of single deliveries', async ({
  receiver,
  gateway,
  fixture,
}) => {
  await fixture.emitMany(12, { reason: 'für alle Fälle ✓' });
  const batchId = batchIdOf(await fixture.untilBatched(12));

  const { members, ...progress } = await fixture.batchResult(batchId);
  expect(progress).toEqual({ ...none, succeeded: 12 });
  const { vendorId, subscription } = fixture;
  const deliveries = await deliveriesOf(gateway.sql, vendorId);
  const eventIds = deliveries.map(({ eventId }) => eventId).toSorted();
  expect(eventIds).toHaveLength(12);
  expect(members).toContainEqual({ vendorId, subscriptionId: subscription.id, eventIds });
  for (const delivery of deliveries) {
    expect(delivery).toMatchObject({ state: 'succeeded', attempts: 1, batchId });
    expect(fixture.requestsOf(delivery)).toHaveLength(1);
    await expect(fixture.runId(delivery)).rejects.toThrow(/not found/);
  }
  const texts = [subscription.secret.slice('whsec_'.length), 'für alle Fälle', receiver.origin];
  await expectNoSecret(gateway.client, webhookDeliveryBatchId(batchId), batchId, texts);
  await fixture.recordBatch(batchId, 'all-delivered');
});

test('continues those that fail in a burst in runs of their own', async ({ receiver, fixture }) => {
  receiver.answerWith(statuses(500, 500, 500));
  await fixture.emitMany(12);
  const batched = await fixture.untilBatched(12);
  const batchId = batchIdOf(batched);

  const progress = { ...none, succeeded: 9, moved: 3 };
  expect(await fixture.batchResult(batchId)).toMatchObject(progress);
  await fixture.untilOutboxIsEmpty();
  const firstFailed = new Set(
    (await fixture.attempts())
      .filter(({ attemptNumber, succeeded }) => attemptNumber === 1 && !succeeded)
      .map(({ eventId }) => eventId),
  );
  const moved = batched.filter(({ eventId }) => firstFailed.has(eventId));
  expect(moved).toHaveLength(3);
  for (const { id } of moved) {
    const delivery = await fixture.ended(await fixture.stored(id));
    // Its row names its own run now.
    expect(delivery).toMatchObject({ state: 'succeeded', attempts: 2, batchId: null });
    expect(fixture.requestsOf(delivery)).toHaveLength(2);
    expect(await fixture.waits(delivery)).toEqual(['after 500, until attempt 2 of 3']);
  }
  for (const delivery of batched.filter((one) => !moved.includes(one))) {
    const kept = { state: 'succeeded', attempts: 1, batchId };
    expect(await fixture.stored(delivery.id)).toMatchObject(kept);
    await expect(fixture.runId(delivery)).rejects.toThrow(/not found/);
  }
  await fixture.record(moved[0] ?? expect.unreachable(), 'after-batch');
  await fixture.recordBatch(batchId, 'some-failed');
});

test('limits the requests to a host from all runs', async ({ receiver, gateway, fixture }) => {
  const before = receiver.requests.length;
  let underWay = 0;
  let most = 0;
  const events = new Set<string>();
  receiver.answerWith((response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    const eventId = String(receiver.requests.at(-1)?.headers['webhook-id']);
    // The first attempts of the last ten fail, so that their own runs and the batch share the host.
    const fails = !events.has(eventId) && events.size >= 50;
    events.add(eventId);
    // Long enough that all that may come are there at once.
    setTimeout(() => {
      underWay -= 1;
      status(fails ? 500 : 200)(response);
    }, 30);
  });
  await fixture.emitMany(60);
  const batched = await fixture.untilBatched(60);
  expect(await fixture.batchResult(batchIdOf(batched))).toMatchObject({ moved: 10 });
  await vi.waitFor(async () => {
    const states = (await deliveriesOf(gateway.sql, fixture.vendorId)).map(({ state }) => state);
    expect(states).toEqual(batched.map(() => 'succeeded'));
  }, waiting);
  expect(receiver.requests.length - before).toBe(70);
  expect(most).toBe(hostConcurrency);
});

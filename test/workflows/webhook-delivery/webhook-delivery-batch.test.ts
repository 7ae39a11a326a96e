import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { webhookDeliveryBatchId } from '../../../workflows/ids.ts';
import { deliveriesOf } from '../../support/webhooks/delivery.ts';
import { deliveryTest } from '../../support/webhooks/delivery-test.ts';
import { status, statuses } from '../../support/webhooks/receiver.ts';

const hostConcurrency = 4;

const test = deliveryTest({
  WEBHOOK_RETRY_DELAYS_MS: '50,50',
  WEBHOOK_TIMEOUT_MS: '20000',
  WEBHOOK_RUNS_PER_SECOND: '0',
  WEBHOOK_HOST_CONCURRENCY: String(hostConcurrency),
});

test('delivers a burst once, without runs', async ({ gateway, fixture }) => {
  await fixture.emitMany(12, { reason: 'für alle Fälle ✓' });
  await fixture.untilSucceeded(12);
  for (const delivery of await deliveriesOf(gateway.sql, fixture.vendorId)) {
    expect(delivery).toMatchObject({ attempts: 1, batchId: null });
    expect(fixture.requestsOf(delivery)).toHaveLength(1);
    await expect(fixture.runId(delivery)).rejects.toThrow(/not found/);
  }
});

test('continues those that fail in a burst in runs of their own', async ({
  receiver,
  gateway,
  fixture,
}) => {
  receiver.answerWith(statuses(500, 500, 500));
  await fixture.emitMany(12);
  const emitted = await deliveriesOf(gateway.sql, fixture.vendorId);
  const settled = await Promise.all(emitted.map((each) => fixture.settled(each)));
  const failed = settled.filter(({ attempts }) => attempts === 2);
  expect(failed).toHaveLength(3);
  for (const each of failed) {
    const delivery = await fixture.ended(each);
    expect(delivery).toMatchObject({ state: 'succeeded', attempts: 2 });
    expect(fixture.requestsOf(delivery)).toHaveLength(2);
    expect(await fixture.waits(delivery)).toEqual(['after 500, until attempt 2 of 3']);
  }
  for (const delivery of settled.filter(({ attempts }) => attempts !== 2)) {
    expect(delivery).toMatchObject({ state: 'succeeded', attempts: 1 });
    await expect(fixture.runId(delivery)).rejects.toThrow(/not found/);
  }
});

test('makes the attempts that a run of an earlier version has left', async ({
  gateway,
  fixture,
}) => {
  const { sql, client, config } = gateway;
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) ids.push((await fixture.emitUnsent()).id);
  const [done = '', begun = ''] = ids;
  const batchId = uuidv7();
  await sql`
    insert into webhook_delivery_batches (id, delivery_ids) values (${batchId}, ${ids}::uuid[])`;
  await sql`update webhook_deliveries set batch_id = ${batchId} where id = any(${ids}::uuid[])`;
  await sql`update webhook_deliveries set state = 'succeeded' where id = ${done}`;
  await sql`
    update webhook_deliveries set attempts = 1, is_under_way = true where id = ${begun}`;
  await sql`
    insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
      event_id, next_attempt_at)
    select uuidv7(), id, subscription_id, 1, event_type, event_id, now()
    from webhook_deliveries where id = ${begun}`;
  const run = await client.workflow.start('webhookDeliveryBatch', {
    workflowId: webhookDeliveryBatchId(batchId),
    taskQueue: config.TEMPORAL_TASK_QUEUE,
    args: [{ batchId, size: 3, retryDelayMs: 50, timeoutMs: 5000 }],
  });
  expect(await run.result()).toMatchObject({ succeeded: 1, moved: 2, ended: 0, left: 0 });
  for (const id of ids) await fixture.settled(await fixture.stored(id));
  expect(await fixture.attemptTexts()).toEqual(
    expect.arrayContaining(['1 worker_lost', '2 succeeded', '1 succeeded']),
  );
});

test('limits the requests to a host from all runs', async ({ receiver, fixture }) => {
  const before = receiver.requests.length;
  let underWay = 0;
  let most = 0;
  const events = new Set<string>();
  receiver.answerWith((response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    const eventId = String(receiver.requests.at(-1)?.headers['webhook-id']);
    // The first attempts of the last ten fail, so that their runs and the others share the host.
    const fails = !events.has(eventId) && events.size >= 50;
    events.add(eventId);
    // Long enough that all that may come are there at once.
    setTimeout(() => {
      underWay -= 1;
      status(fails ? 500 : 200)(response);
    }, 30);
  });
  await fixture.emitMany(60);
  await fixture.untilSucceeded(60);
  expect(receiver.requests.length - before).toBe(70);
  expect(most).toBe(hostConcurrency);
});

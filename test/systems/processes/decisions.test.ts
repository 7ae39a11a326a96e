import { tsToMs } from '@temporalio/common/lib/time.js';
import { temporal } from '@temporalio/proto';
import { expect, vi } from 'vitest';
import { offerReviewId } from '../../../workflows/ids.ts';
import { processTest } from '../../support/gateway/gateway-processes.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { seedCommand, seedOffer, seedOperator, seedVendor } from '../../support/seeds/seed.ts';
import { createDeliveryFixture } from '../../support/webhooks/delivery.ts';
import { status } from '../../support/webhooks/receiver.ts';

/** Operators' decisions beside a killed worker, and beside a burst of deliveries. */

const test = processTest.extend('settings', { scope: 'file' }, () => ({
  // What an overloaded machine takes does not count here.
  DECISION_TIMEOUT_MS: '30000',
  WEBHOOK_RETRY_DELAYS_MS: Array.from({ length: 10 }, () => '1000').join(','),
}));

const scheduleToStart = temporal.api.enums.v1.TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START;
const waiting = { timeout: 60_000, interval: 50 };

/** Offers whose reviews are open, each with a run that waits for a decision. */
async function openReviews({ sql, client }: TestGateway, count: number) {
  const [vendorId, operator] = await Promise.all([seedVendor(sql), seedOperator(sql)]);
  const offerIds: string[] = [];
  for (let each = 0; each < count; each += 1) offerIds.push((await seedOffer(sql, vendorId)).id);
  await vi.waitFor(async () => {
    for (const offerId of offerIds) {
      const run = await client.workflow.getHandle(offerReviewId(offerId)).describe();
      // The worker that completed the first task has the run in its cache. Its events are the
      // events of the start, the signal, the task (three), the read of the offer and the search
      // attribute.
      expect(run.historyLength).toBeGreaterThanOrEqual(7);
    }
  }, waiting);
  return { vendorId, operator, offerIds };
}

/** Rejects an offer and answers how long that took, in ms. */
async function decide(
  { sql, decisions }: TestGateway,
  { vendorId, operator }: Awaited<ReturnType<typeof openReviews>>,
  offerId: string,
): Promise<number> {
  const command = { action: 'reject', reason: 'no', expectedVersion: null } as const;
  const commandId = await seedCommand(sql, operator.id, offerId, command);
  const startedAt = performance.now();
  const { operatorId } = operator;
  const decided = await decisions.decideOffer(
    { offerId, vendorId },
    { action: 'reject', commandId, operatorId },
  );
  expect(decided).toMatchObject({ ok: true });
  return performance.now() - startedAt;
}

/**
 * How long the tasks of a run waited for the worker with the run in its cache, until they timed
 * out.
 */
async function waitsForWorkerMs({ client }: TestGateway, offerId: string) {
  const { events } = await client.workflow.getHandle(offerReviewId(offerId)).fetchHistory();
  return (events ?? []).flatMap((event) => {
    const timedOut = event.workflowTaskTimedOutEventAttributes;
    if (timedOut?.timeoutType !== scheduleToStart) return [];
    const scheduled = events?.find(
      ({ eventId }) => String(eventId) === String(timedOut.scheduledEventId),
    );
    return [tsToMs(event.eventTime) - tsToMs(scheduled?.eventTime)];
  });
}

test('takes over each decision within 3 s after SIGKILL of the other worker', async ({
  gateway,
  processes,
}) => {
  const [killed] = await Promise.all([processes.startWorker(), processes.startWorker()]);
  const reviews = await openReviews(gateway, 30);
  await killed.end('SIGKILL');
  await Promise.all(reviews.offerIds.map((offerId) => decide(gateway, reviews, offerId)));
  const waits = await Promise.all(
    reviews.offerIds.map((offerId) => waitsForWorkerMs(gateway, offerId)),
  );
  // With the default of Temporal's SDK each of these waits would take 10 s.
  expect(waits.flat().length).toBeGreaterThan(0);
  expect(Math.max(...waits.flat())).toBeLessThan(3000);
});

test('completes each decision within 10 s beside a burst of failing deliveries', async ({
  gateway,
  processes,
  receiver,
}) => {
  await processes.startWorker();
  const reviews = await openReviews(gateway, 60);
  const fixture = await createDeliveryFixture(gateway, receiver);
  receiver.answerWith(status(503));
  await fixture.emitMany(360);
  await vi.waitFor(() => expect(receiver.requests.length).toBeGreaterThan(0), waiting);
  const tookMs: number[] = [];
  for (const offerId of reviews.offerIds) tookMs.push(await decide(gateway, reviews, offerId));
  // The burst lasted longer than the decisions.
  const during = receiver.requests.length;
  await vi.waitFor(() => {
    expect(receiver.requests.length).toBeGreaterThan(Math.max(360, during));
  }, waiting);
  expect(Math.max(...tookMs)).toBeLessThan(10_000);
});

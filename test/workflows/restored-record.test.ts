import type { WorkflowHandle } from '@temporalio/client';
import { expect, vi } from 'vitest';
import { offerReviewId } from '../../workflows/ids.ts';
import { deliveryChanged } from '../../workflows/webhooks/webhook-delivery-messages.ts';
import { saveRecord } from '../support/database/saved-record.ts';
import { decideOffer, handOver } from '../support/gateway/runs.ts';
import { createInspectionFixture } from '../support/returns/inspection.ts';
import { seedOffer, seedOperator, seedVendor } from '../support/seeds/seed.ts';
import { waiting } from '../support/webhooks/delivery.ts';
import { deliveryRestartTest } from '../support/webhooks/delivery-test.ts';
import { notForAWhile, status } from '../support/webhooks/receiver.ts';

/** Postgres is set back while Temporal keeps its runs, which then know more than the record. */

const test = deliveryRestartTest({}).extend('returns', ({ gateway }) =>
  createInspectionFixture(gateway),
);

// `test/worker/recovery.test.ts` has a return that is decided after its record is restored.

const untilShown = (run: WorkflowHandle, state: string): Promise<void> =>
  vi.waitFor(async () => {
    const { searchAttributes } = await run.describe();
    expect(searchAttributes['ReviewState']).toEqual([state]);
  }, waiting);

test('shows the offer of the record, and a reviewer decides that', async ({ gateway }) => {
  const { sql, client } = gateway;
  await gateway.startWorker();
  const [vendorId, operator] = await Promise.all([seedVendor(sql), seedOperator(sql)]);
  const offer = await seedOffer(sql, vendorId);
  const message = { kind: 'offerReview', subjectId: offer.id, payload: { vendorId } } as const;
  const run = client.workflow.getHandle(offerReviewId(offer.id));
  await untilShown(run, 'PendingMatch');
  const restore = await saveRecord(sql);
  await sql`update offers set status = 'PendingReview', version = 5`;
  await handOver(gateway, message);
  await untilShown(run, 'PendingReview');
  await restore();

  await handOver(gateway, message);
  await untilShown(run, 'PendingMatch');

  const command = { action: 'reject', reason: 'No', expectedVersion: 1 } as const;
  expect(await decideOffer(gateway, operator, offer, command)).toMatchObject({
    value: { status: 'Rejected', version: 2 },
  });
  expect(await run.result()).toMatchObject({ decision: 'Rejected' });
});

test('ends the runs of what the record does not have', async ({ gateway, returns }) => {
  const { sql, client } = gateway;
  await gateway.startWorker();
  const vendorId = await seedVendor(sql);
  const restore = await saveRecord(sql);
  const [offer, request] = [await seedOffer(sql, vendorId), await returns.request()];
  const review = client.workflow.getHandle(offerReviewId(offer.id));
  await untilShown(review, 'PendingMatch');
  await returns.untilSeen(request, 'Pending');
  await restore();

  await handOver(gateway, { kind: 'offerReview', subjectId: offer.id, payload: { vendorId } });
  await returns.lateMessage(request);

  expect(await review.result()).toBeNull();
  expect(await returns.run(request).result()).toBeNull();
});

test('continues a delivery at the attempt and the time of the record', async ({
  gateway,
  receiver,
  fixture,
}) => {
  receiver.answerWith(notForAWhile);
  await gateway.startWorker();
  const delivery = await fixture.emit();
  await fixture.untilWaiting(delivery);
  await gateway.sql`update webhook_attempts set next_attempt_at = clock_timestamp()`;
  const restore = await saveRecord(gateway.sql);
  // The run continues: its second attempt fails, and the third is due much later.
  const dueAt = new Date().toISOString();
  await fixture.hand(delivery.id, { signal: 'retry', attempts: 2, tries: 1, dueAt });
  await fixture.untilWaiting(delivery, 2);
  receiver.answerWith(status(200));
  await restore();

  await fixture.run(delivery.id).signal(deliveryChanged);

  expect((await fixture.ended(delivery)).state).toBe('succeeded');
  expect(await fixture.attemptTexts()).toEqual(['1 http_status 503', '2 succeeded']);
  expect(fixture.requestsOf(delivery)).toHaveLength(3);
});

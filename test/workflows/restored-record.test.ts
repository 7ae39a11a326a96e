import type { WorkflowHandle } from '@temporalio/client';
import { describe, expect, vi } from 'vitest';
import { offerReviewId } from '../../workflows/ids.ts';
import { deliveryChanged } from '../../workflows/webhooks/webhook-delivery-messages.ts';
import type { TestGateway } from '../support/gateway/gateway.ts';
import { createInspectionFixture, windowTimer } from '../support/returns/inspection.ts';
import { saveRecord } from '../support/database/saved-record.ts';
import { seedCommand, seedOffer, seedOperator, seedVendor } from '../support/seeds/seed.ts';
import { createDeliveryFixture, waiting } from '../support/webhooks/delivery.ts';
import { notForAWhile, status } from '../support/webhooks/receiver.ts';
import { createMessageHandler } from '../../temporal/message-handler.ts';
import { restartTest } from '../support/gateway/workflow-test.ts';

/** Postgres is set back while Temporal keeps its runs, which then know more than the record. */

const test = restartTest.extend('settings', { scope: 'file' }, ({ receiver }) => ({
  WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
}));

describe('a return whose run is ahead of a restored record', () => {
  test('is decided by silence at the deadline of the record', async ({ gateway }) => {
    await gateway.startWorker();
    const fixture = await createInspectionFixture(gateway);
    const request = await fixture.underInspection(5000);
    await fixture.untilOutboxIsEmpty();
    const restore = await saveRecord(gateway.sql);
    expect(
      await fixture.order(request, { action: 'decide', outcome: 'Rejected', reason: null }),
    ).toMatchObject({ ok: true });
    await fixture.untilSeen(request, 'InspectionRejected');
    await restore();

    await fixture.lateMessage(request);

    const decided = await fixture.untilStored(request, 'InspectionAccepted');
    expect(decided).toMatchObject({ outcome: 'AcceptedDefect', decidedBy: null });
    await fixture.untilSeen(request, 'InspectionAccepted');
    expect(await fixture.timersNamed(request, windowTimer)).toMatchObject([
      { isCanceled: true },
      { hasFired: true },
    ]);
    await fixture.replay(request);
  });

  test('ends its run when the record has no such return', async ({ gateway }) => {
    await gateway.startWorker();
    const fixture = await createInspectionFixture(gateway);
    const restore = await saveRecord(gateway.sql);
    const request = await fixture.request();
    await fixture.untilSeen(request, 'Pending');
    await restore();

    await fixture.lateMessage(request);

    expect(await fixture.run(request).result()).toBeNull();
  });
});

const offerMessage = (gateway: TestGateway, offerId: string, vendorId: string): Promise<void> =>
  createMessageHandler(gateway.client, {
    taskQueue: gateway.config.TEMPORAL_TASK_QUEUE,
    retryDelaysMs: [],
    timeoutMs: 1000,
  })({ kind: 'offerReview', subjectId: offerId, payload: { vendorId } });

const untilShown = (run: WorkflowHandle, state: string): Promise<void> =>
  vi.waitFor(async () => {
    const { searchAttributes } = await run.describe();
    expect(searchAttributes['ReviewState']).toEqual([state]);
  }, waiting);

describe('a review whose run is ahead of a restored record', () => {
  test('shows the offer of the record, and a reviewer decides that', async ({ gateway }) => {
    const { sql, client, decisions } = gateway;
    await gateway.startWorker();
    const [vendorId, operator] = await Promise.all([seedVendor(sql), seedOperator(sql)]);
    const offer = await seedOffer(sql, vendorId);
    const run = client.workflow.getHandle(offerReviewId(offer.id));
    await untilShown(run, 'PendingMatch');
    const restore = await saveRecord(sql);
    await sql`update offers set status = 'PendingReview', version = 5`;
    await offerMessage(gateway, offer.id, vendorId);
    await untilShown(run, 'PendingReview');
    await restore();

    await offerMessage(gateway, offer.id, vendorId);
    await untilShown(run, 'PendingMatch');

    const command = { action: 'reject', reason: 'No', expectedVersion: 1 } as const;
    const commandId = await seedCommand(sql, operator.id, offer.id, command);
    const { operatorId } = operator;
    const decision = { action: 'reject', commandId, operatorId } as const;
    expect(await decisions.decideOffer({ offerId: offer.id, vendorId }, decision)).toMatchObject({
      ok: true,
      value: { status: 'Rejected', version: 2 },
    });
    expect(await run.result()).toMatchObject({ decision: 'Rejected' });
  });

  test('ends when the record has no such offer', async ({ gateway }) => {
    const { sql, client } = gateway;
    await gateway.startWorker();
    const vendorId = await seedVendor(sql);
    const restore = await saveRecord(sql);
    const offer = await seedOffer(sql, vendorId);
    const run = client.workflow.getHandle(offerReviewId(offer.id));
    await untilShown(run, 'PendingMatch');
    await restore();

    await offerMessage(gateway, offer.id, vendorId);

    expect(await run.result()).toBeNull();
  });
});

describe('a delivery whose run is ahead of a restored record', () => {
  test('continues at the attempt and the time of the record', async ({ gateway, receiver }) => {
    const fixture = await createDeliveryFixture(gateway, receiver);
    receiver.answerWith(notForAWhile);
    await gateway.startWorker();
    const delivery = await fixture.emit();
    await fixture.untilWaiting(delivery);
    await gateway.sql`update webhook_attempts set next_attempt_at = clock_timestamp()`;
    const restore = await saveRecord(gateway.sql);
    // The run continues: its second attempt fails, and the third is due much later.
    await fixture.hand(delivery.id, {
      signal: 'retry',
      attempts: 2,
      tries: 1,
      dueAt: new Date().toISOString(),
    });
    await fixture.untilWaiting(delivery, 2);
    receiver.answerWith(status(200));
    await restore();

    await fixture.run(delivery.id).signal(deliveryChanged);

    expect((await fixture.ended(delivery)).state).toBe('succeeded');
    expect(await fixture.attemptTexts()).toEqual(['1 http_status 503', '2 succeeded']);
    expect(fixture.requestsOf(delivery)).toHaveLength(3);
  });
});

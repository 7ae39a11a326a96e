import { expect, vi } from 'vitest';
import type { CheckContext } from '../../doctor/check.ts';
import { checks } from '../../doctor/checks.ts';
import { isClean, runCheck, type CheckResult } from '../../doctor/examine.ts';
import { createSealer } from '../../security/sealer.ts';
import { readHistories } from '../../temporal/runs/histories.ts';
import { createRuns } from '../../temporal/runs/open-runs.ts';
import type { TestGateway } from '../support/gateway/gateway.ts';
import { decideOffer } from '../support/gateway/runs.ts';
import { createInspectionFixture } from '../support/returns/inspection.ts';
import { seedOffer, seedVariant } from '../support/seeds/seed.ts';
import { createDeliveryFixture, deliveriesOf, waiting } from '../support/webhooks/delivery.ts';
import { notForAWhile, status, type TestReceiver } from '../support/webhooks/receiver.ts';
import { workflowTest } from '../support/gateway/workflow-test.ts';

/** What the checks of a gateway need. */
export const contextOf = ({ sql, client, config }: TestGateway): CheckContext => {
  const taskQueue = config.TEMPORAL_TASK_QUEUE;
  return {
    sql,
    runs: createRuns(client, { taskQueue }),
    histories: () => readHistories(client, { taskQueue, runsMax: 1000 }),
    retentionMs: config.WEBHOOK_RETENTION_MS,
    sealer: createSealer(config.SECRETS_KEY),
    // Each look waits so long while a damage is there.
    settleMs: 300,
  };
};

/** Waits until the doctor finds nothing. */
export const untilSound = (gateway: TestGateway): Promise<void> =>
  vi.waitFor(async () => {
    const faulty: CheckResult[] = [];
    const readOnly = { isRepairing: false, findingsMax: 20 };
    for (const check of checks) {
      const result = await runCheck(contextOf(gateway), check, readOnly);
      if (!isClean(result)) faulty.push(result);
    }
    expect(faulty).toEqual([]);
  }, waiting);

/** A sound record with its runs. */
async function newWorld(gateway: TestGateway, receiver: TestReceiver) {
  const { sql } = gateway;
  const deliveries = await createDeliveryFixture(gateway, receiver);
  const inspections = await createInspectionFixture(gateway);
  const { vendorId } = deliveries;
  const variantId = await seedVariant(sql);
  const offer = await seedOffer(sql, vendorId);
  const approved = await seedOffer(sql, vendorId, { variantId });
  const approval = { action: 'approve', variantId: null, expectedVersion: null } as const;
  const decided = await decideOffer(gateway, inspections.operator, approved, approval);
  expect(decided).toMatchObject({ ok: true });
  const [delivered] = await deliveriesOf(sql, vendorId);
  if (delivered === undefined) throw new Error('no delivery');
  await deliveries.settled(delivered);
  const request = await inspections.underInspection(3_600_000);
  receiver.answerWith(notForAWhile);
  const delivery = await deliveries.emit();
  await deliveries.untilWaiting(delivery);
  receiver.answerWith(status(200));
  await inspections.untilSeen(request, 'UnderInspection');
  return {
    gateway,
    vendorId,
    /** In review. */
    offer,
    /** With a supply option. */
    approved,
    /** Under inspection. */
    request,
    /** It has failed once, and waits for its second attempt. */
    delivery,
    delivered,
    subscriptionId: deliveries.subscription.id,
  };
}
export type World = Awaited<ReturnType<typeof newWorld>>;

/** Tests with a gateway whose record is sound. */
export const doctorTest = workflowTest.extend('world', { scope: 'file' }, ({ gateway, receiver }) =>
  newWorld(gateway, receiver),
);

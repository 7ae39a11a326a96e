import { expect, vi } from 'vitest';
import type { CheckContext } from '../../doctor/check.ts';
import { checks } from '../../doctor/checks.ts';
import { examine, isClean, type CheckResult } from '../../doctor/examine.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import type { ReturnRequest } from '../../domain/returns/return-request.ts';
import type { WebhookDelivery } from '../../db/webhooks/webhook-deliveries.ts';
import { createSealer } from '../../security/sealer.ts';
import { readHistories } from '../../temporal/runs/histories.ts';
import { createRuns } from '../../temporal/runs/open-runs.ts';
import type { TestGateway } from '../support/gateway/gateway.ts';
import { decideOffer } from '../support/gateway/runs.ts';
import { createInspectionFixture } from '../support/returns/inspection.ts';
import { seedOffer, seedVariant } from '../support/seeds/seed.ts';
import { createDeliveryFixture, deliveriesOf, waiting } from '../support/webhooks/delivery.ts';
import { notForAWhile, status } from '../support/webhooks/receiver.ts';
import { workflowTest } from '../support/gateway/workflow-test.ts';

/** A sound record with its runs. */
export type World = {
  readonly gateway: TestGateway;
  readonly vendorId: string;
  /** In review. */
  readonly offer: Offer;
  /** With a supply option. */
  readonly approved: Offer;
  /** Under inspection. */
  readonly request: ReturnRequest;
  /** It has failed once, and waits for its second attempt. */
  readonly delivery: WebhookDelivery;
  readonly delivered: WebhookDelivery;
  readonly subscriptionId: string;
};

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
    for await (const result of examine(contextOf(gateway), checks, readOnly))
      if (!isClean(result)) faulty.push(result);
    expect(faulty).toEqual([]);
  }, waiting);

/** Tests with a gateway whose record is sound. */
export const doctorTest = workflowTest
  .extend('settings', { scope: 'file' }, ({ receiver }) => ({
    WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
  }))
  .extend('world', { scope: 'file' }, async ({ gateway, receiver }): Promise<World> => {
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
    const { id: subscriptionId } = deliveries.subscription;
    await inspections.untilSeen(request, 'UnderInspection');
    return { gateway, vendorId, offer, approved, request, delivery, delivered, subscriptionId };
  });

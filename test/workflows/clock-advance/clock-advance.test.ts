import { expect, vi } from 'vitest';
import { verifyWebhook } from '../../../clients/typescript/src/webhooks/verify.ts';
import { resetSandbox } from '../../../db/accounts/vendors.ts';
import { readClock } from '../../../db/clock/clock-advances.ts';
import { storeStock } from '../../../db/offers/store-push.ts';
import {
  bulkJobId,
  clockAdvanceId,
  returnInspectionId,
  webhookDeliveryId,
} from '../../../workflows/ids.ts';
import { perfume, startJob } from '../../api/jobs/job-fixture.ts';
import { untilSound } from '../../doctor/doctor-fixture.ts';
import { newVendor } from '../../support/api/actors.ts';
import { call, gatewayOver } from '../../support/api/api.ts';
import { workflowTest } from '../../support/gateway/workflow-test.ts';
import { recordHistory } from '../../support/history.ts';
import { moveAsStaff, seedReturn } from '../../support/returns/seed-returns.ts';
import { seedOffer } from '../../support/seeds/seed.ts';
import { deliveriesOf, emitTo, waiting } from '../../support/webhooks/delivery.ts';
import { status, statuses } from '../../support/webhooks/receiver.ts';
import {
  advance,
  eventsOf,
  hourMs,
  inspectionEvents,
  newClockVendor,
  seedReceived,
  times,
  untilReached,
} from './clock-fixture.ts';

/** Gives a test a vendor of a sandbox, whose deliveries have two retries. */
const test = workflowTest
  .extend('settings', { scope: 'file' }, ({ receiver }) => ({
    GATEWAY_ENVIRONMENT: 'Sandbox',
    WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
    WEBHOOK_RETRY_DELAYS_MS: '60000,3600000',
  }))
  .extend('vendor', ({ gateway, receiver }) => newClockVendor(gateway, receiver));

test('inspects a return in order by an advance (D132)', async ({ gateway, receiver, vendor }) => {
  const { sql, client } = gateway;
  const { vendorId, secret } = vendor;
  const { id, receivedAt } = await seedReceived(sql, vendor);

  await advance(sql, vendorId, 97 * hourMs);
  await untilReached(sql, vendorId);
  const events = await eventsOf(sql, vendorId);
  const types = events.map(({ eventType }) => eventType);
  expect(types.slice(3)).toEqual(inspectionEvents);
  for (const [index, expected] of [24, 72, 96].entries()) {
    const occurredMs = events[index + 3]?.occurredAt.getTime() ?? 0;
    const hours = (occurredMs - (receivedAt?.getTime() ?? 0)) / hourMs;
    expect(hours).toBe(expected);
  }
  const [state] = await sql`select status, outcome from return_requests where id = ${id}`;
  expect(state).toEqual({ status: 'InspectionAccepted', outcome: 'AcceptedDefect' });

  const received = receiver.requests.filter(({ body }) => body.includes(vendorId));
  expect(received.map(({ body }) => JSON.parse(body))).toMatchObject(
    types.map((eventType) => ({ eventType })),
  );
  // Signatures have real time: a receiver refuses an old or a future one.
  for (const { headers, body } of received)
    expect(verifyWebhook(secret, body, headers as Record<string, string>)).toBeTruthy();

  await client.workflow.getHandle(clockAdvanceId(vendorId)).result();
  await recordHistory(client, clockAdvanceId(vendorId), 'clock-advance-inspection');
  await moveAsStaff(sql, { id, vendorId }, 'releaseRefund');
  await client.workflow.getHandle(returnInspectionId(id)).result();
  await recordHistory(client, returnInspectionId(id), 'return-inspection-advanced');
});

test('attempts a delivery at each retry (D132)', async ({ gateway, receiver, vendor }) => {
  const { sql, client } = gateway;
  const { vendorId } = vendor;
  receiver.answerWith(status(503));
  const begun = receiver.requests.length;
  await seedReturn(sql, { ...vendor, times });
  await advance(sql, vendorId, 48 * hourMs);
  await untilReached(sql, vendorId);
  receiver.answerWith(status(200));
  const [order] = await deliveriesOf(sql, vendorId);
  expect(order).toMatchObject({ attempts: 3, state: 'deadLettered' });
  const run = webhookDeliveryId(order?.id ?? '');
  await client.workflow.getHandle(run).result();
  await recordHistory(client, run, 'webhook-delivery-advanced');
  const sent = receiver.requests.slice(begun).filter(({ body }) => body.includes(vendorId));
  expect(sent.length).toBeGreaterThanOrEqual(6);
});

const vendorTables = ['offers', 'fulfilment_groups', 'return_requests', 'webhook_events'] as const;

test('deletes all by a reset beside pushes, and ends the advance at once (D133, D175)', async ({
  gateway,
  receiver,
  vendor,
}) => {
  const { sql } = gateway;
  const { vendorId } = vendor;
  receiver.answerWith(statuses(...Array<number>(20).fill(503)));
  for (let each = 0; each < 2; each += 1) await seedReceived(sql, vendor);
  const offer = await seedOffer(sql, vendorId);
  const state = { isOver: false };
  const load = async () => {
    for (let quantity = 1; !state.isOver; quantity += 1) {
      const stock = { declaredInStock: true, declaredStockQuantity: quantity };
      await storeStock(sql, { vendorId, offerId: offer.id }, stock);
      // Each delivery that fails is a stop of the clock, so that more of them delay the returns.
      if (quantity <= 100 && quantity % 50 === 0) await emitTo(sql, vendorId);
      if (quantity % 100 === 0) await seedOffer(sql, vendorId);
    }
  };
  const loads = [load(), load()];
  await advance(sql, vendorId, 97 * hourMs);
  await vi.waitFor(async () => {
    const types = (await eventsOf(sql, vendorId)).map(({ eventType }) => eventType);
    expect(types).toContain('vendor.return.inspection-started');
  }, waiting);
  const reset = () => sql.begin((transaction) => resetSandbox(transaction, vendorId));
  await reset();
  expect((await readClock(sql, vendorId)).isAdvancing).toBe(false);
  for (const table of ['return_requests', 'fulfilment_groups'] as const)
    expect(await sql`select from ${sql(table)} where vendor_id = ${vendorId}`).toEqual([]);
  state.isOver = true;
  // A push to an offer that is deleted stores nothing; none fails.
  await Promise.all(loads);
  await reset();
  for (const table of vendorTables)
    expect(await sql`select from ${sql(table)} where vendor_id = ${vendorId}`).toEqual([]);

  await untilReached(sql, vendorId);
  expect(await eventsOf(sql, vendorId)).toEqual([]);
  await untilSound(gateway);
});

test('ends the run of a job by a reset (D133)', async ({ gateway: { sql, client } }) => {
  const api = await gatewayOver(sql, { environment: 'Sandbox' });
  const vendor = await newVendor(api);
  const jobId = await startJob(api, vendor, 'createOffers', Array(2000).fill(perfume(null)));
  const run = client.workflow.getHandle(bulkJobId(jobId));
  await vi.waitFor(() => run.describe(), waiting);
  expect(await call(api, 'POST', '/api/v1/sandbox/reset', vendor)).toMatchObject({ status: 202 });
  expect(await run.result()).toMatchObject({ state: null, isOver: true });
});

import { expect } from 'vitest';
import { readBusinessInstants } from '../../support/database/business-instants.ts';
import { moveReturnTo, seedReturn } from '../../support/returns/seed-returns.ts';
import { recordHistory } from '../../support/history.ts';
import { workflowTest } from '../../support/gateway/workflow-test.ts';
import { clockAdvanceId } from '../../../workflows/ids.ts';
import { verifyWebhook } from '../../../clients/typescript/src/webhooks/verify.ts';
import { advance, eventsOf, hourMs, newClockVendor, times, untilReady } from './clock-fixture.ts';

const test = workflowTest.extend('settings', { scope: 'file' }, ({ receiver }) => ({
  GATEWAY_ENVIRONMENT: 'Sandbox',
  WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
  WEBHOOK_RETRY_DELAYS_MS: '60000,3600000',
}));

test('D132: inspects a return in order', async ({ gateway, receiver }) => {
  const { sql, client } = gateway;
  const { vendorId, variantId, secret } = await newClockVendor(
    sql,
    gateway.config.SECRETS_KEY,
    receiver.url,
  );
  const other = await newClockVendor(sql, gateway.config.SECRETS_KEY, receiver.url);
  const otherReturn = await seedReturn(sql, { ...other, times });
  await moveReturnTo(sql, otherReturn, 'Received');
  const request = await seedReturn(sql, { vendorId, variantId, times });
  const { receivedAt } = await moveReturnTo(sql, request, 'Received');
  const receivedMs = receivedAt?.getTime() ?? 0;

  await advance(sql, vendorId, 97 * hourMs);
  const { now, target, stopReason } = await untilReady(sql, vendorId);
  expect(stopReason).toBeNull();
  expect(now.getTime()).toBeGreaterThanOrEqual(target.getTime());
  const events = (await eventsOf(sql, vendorId)).slice(3);
  expect(events.map(({ eventType }) => eventType)).toEqual([
    'vendor.return.inspection-started',
    'vendor.return.inspection-closing',
    'vendor.return.decided',
  ]);
  const hours = events.map(({ occurredAt }) => (occurredAt.getTime() - receivedMs) / hourMs);
  for (const [index, expected] of [24, 72, 96].entries()) {
    expect(hours[index]).toBeGreaterThanOrEqual(expected);
    // A stop takes some seconds at most, and the clock runs meanwhile.
    expect(hours[index]).toBeLessThan(expected + 0.02);
  }
  const [state] = await sql`select status, outcome from return_requests where id = ${request.id}`;
  expect(state).toEqual({ status: 'InspectionAccepted', outcome: 'AcceptedDefect' });

  const received = receiver.requests.filter(({ body }) => body.includes(vendorId));
  expect(received.map(({ body }) => (JSON.parse(body) as { eventType: string }).eventType)).toEqual(
    (await eventsOf(sql, vendorId)).map(({ eventType }) => eventType),
  );
  // Signatures have real time: a receiver refuses an old or a future one.
  for (const { headers, body } of received)
    expect(verifyWebhook(secret, body, headers as Record<string, string>)).toBeTruthy();

  await client.workflow.getHandle(clockAdvanceId(vendorId)).result();
  await recordHistory(client, clockAdvanceId(vendorId), 'clock-advance-inspection');

  // No other vendor's clock moved.
  const instants = await readBusinessInstants(sql, other.vendorId);
  for (const { at } of instants) expect(at?.getTime() ?? 0).toBeLessThan(Date.now() + 1000);
  const [still] = await sql`select status from return_requests where id = ${otherReturn.id}`;
  expect(still).toEqual({ status: 'Received' });
});

test('D132: attempts a delivery at its retry', async ({ gateway, receiver }) => {
  const { sql } = gateway;
  const { vendorId, variantId } = await newClockVendor(
    sql,
    gateway.config.SECRETS_KEY,
    receiver.url,
  );
  receiver.answerWith((response) => response.writeHead(503).end());
  const begun = receiver.requests.length;
  await seedReturn(sql, { vendorId, variantId, times });
  await advance(sql, vendorId, 48 * hourMs);
  const { stopReason } = await untilReady(sql, vendorId);
  receiver.answerWith((response) => response.end());
  expect(stopReason).toBeNull();
  const [order] = await sql<{ attempts: number; state: string }[]>`
    select attempts, state from webhook_deliveries where vendor_id = ${vendorId} order by id`;
  expect(order).toEqual({ attempts: 3, state: 'deadLettered' });
  const sent = receiver.requests.slice(begun).filter(({ body }) => body.includes(vendorId));
  expect(sent.length).toBeGreaterThanOrEqual(6);
});

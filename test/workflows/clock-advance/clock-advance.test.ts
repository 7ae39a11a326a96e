import { expect } from 'vitest';
import { verifyWebhook } from '../../../clients/typescript/src/webhooks/verify.ts';
import { clockAdvanceId } from '../../../workflows/ids.ts';
import { recordHistory } from '../../support/history.ts';
import { seedReturn } from '../../support/returns/seed-returns.ts';
import { deliveriesOf } from '../../support/webhooks/delivery.ts';
import { status } from '../../support/webhooks/receiver.ts';
import {
  advance,
  eventsOf,
  hourMs,
  inspectionEvents,
  seedReceived,
  times,
  untilReached,
} from './clock-fixture.ts';
import { clockTest as test } from './clock-test.ts';

test('D132: inspects a return in order', async ({ gateway, receiver, vendor }) => {
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
    expect(hours).toBeGreaterThanOrEqual(expected);
    // A stop takes some seconds at most, and the clock runs meanwhile.
    expect(hours).toBeLessThan(expected + 0.02);
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
});

test('D132: attempts a delivery at its retry', async ({ gateway, receiver, vendor }) => {
  const { sql } = gateway;
  const { vendorId } = vendor;
  receiver.answerWith(status(503));
  const begun = receiver.requests.length;
  await seedReturn(sql, { ...vendor, times });
  await advance(sql, vendorId, 48 * hourMs);
  await untilReached(sql, vendorId);
  receiver.answerWith(status(200));
  const [order] = await deliveriesOf(sql, vendorId);
  expect(order).toMatchObject({ attempts: 3, state: 'deadLettered' });
  const sent = receiver.requests.slice(begun).filter(({ body }) => body.includes(vendorId));
  expect(sent.length).toBeGreaterThanOrEqual(6);
});

import { expect, test as base } from 'vitest';
import type { Dependencies } from '../../../api/dependencies.ts';
import { TemporalUnavailable } from '../../../temporal/temporal-failures.ts';
import { newOperator } from '../support/actors.ts';
import { call, gatewayOver, refusal, type Answer, type Gateway } from '../support/api.ts';
import { startTwoProcesses } from '../support/two-processes.ts';
import { delivered, newWebhookFixture, type WebhookFixture } from './webhook-fixture.ts';
// Test-fires and redeliveries of a subscription are ten a minute each, across API processes (D85).

/** Samples that were sent, by their ids. No worker runs, so each call that sends one is 503. */
const sent: string[] = [];
const testFires: Dependencies['testFires'] = {
  timeoutMs: 10_000,
  waitFor: async (deliveryId) => {
    sent.push(deliveryId);
    throw new TemporalUnavailable({ cause: new Error('no worker in this test') });
  },
};

const limited = ({ sql, dependencies }: Gateway) =>
  gatewayOver(sql, { ...dependencies, testFires, manualDeliveriesPerMinute: 10 });

/** Two API processes with the limit, over one database. */
const test = base.extend('processes', { scope: 'file' }, async ({}, { onCleanup }) => {
  const processes = await startTwoProcesses();
  const [one, other] = [await limited(processes.both[0]), await limited(processes.both[1])];
  onCleanup(async () => {
    await one.app.close();
    await other.app.close();
    await processes.close();
  });
  return { gateway: processes.one, one, other };
});

type Target = Pick<Gateway, 'app'>;
const fire = (
  target: Target,
  fixture: WebhookFixture,
  id: string,
  eventType = 'vendor.order.assigned',
) =>
  call(target, 'POST', `/api/v1/webhooks/${id}/test-fire`, {
    token: fixture.vendor.token,
    body: { eventType },
  });
const redeliver = (target: Target, fixture: WebhookFixture, id: string, attemptId: string) =>
  call(target, 'POST', `/api/v1/webhooks/${id}/deliveries/${attemptId}/redeliver`, {
    token: fixture.vendor.token,
  });

/** Ten have the status, and the others are refused with the limit and the time to wait. */
function expectTen(answers: readonly Answer[], status: number, reason: string): void {
  expect(answers.filter((answer) => answer.status === status)).toHaveLength(10);
  for (const answer of answers.filter((each) => each.status !== status)) {
    expect(answer).toMatchObject(refusal('TOO_MANY_REQUESTS', { reason, maximum: 10 }));
    expect(answer.headers['retry-after']).toMatch(/^([1-9]|[1-5]\d|60)$/);
  }
}

test('of 24 test-fires at once to two processes ten are sent for each subscription', async ({
  processes: { gateway, one, other },
}) => {
  const fixture = await newWebhookFixture(gateway);
  for (const id of [await fixture.subscribe(), await fixture.subscribe()]) {
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) => fire(index % 2 === 0 ? one : other, fixture, id)),
    );
    expectTen(answers, 503, 'SAMPLES');
    expect(sent.splice(0)).toHaveLength(10);
  }
});

test('exactly ten of 14 redeliveries at once succeed; test-fires and operators are apart', async ({
  processes: { gateway, one, other },
}) => {
  const fixture = await newWebhookFixture(gateway);
  const id = await fixture.subscribe();
  const deliveries = await Promise.all(
    Array.from({ length: 14 }, () =>
      delivered(gateway.sql, fixture.vendor.vendorId, id, 'succeeded'),
    ),
  );
  for (let sample = 0; sample < 10; sample += 1) await fire(one, fixture, id);
  const answers = await Promise.all(
    deliveries.map(({ attemptId }, index) =>
      redeliver(index % 2 === 0 ? one : other, fixture, id, attemptId),
    ),
  );
  expectTen(answers, 200, 'REDELIVERIES');
  const refused = deliveries.find((_, index) => answers[index]?.status === 429);
  const { token } = await newOperator(gateway);
  const url = `/operator/v1/webhook-deliveries/${refused?.deliveryId}/redeliver`;
  expect((await call(one, 'POST', url, { token })).status).toBe(200);
});

test('a call that sends nothing does not count, nor does another vendor’s call', async ({
  processes: { gateway, one, other },
}) => {
  const fixture = await newWebhookFixture(gateway);
  const otherVendor = await newWebhookFixture(gateway);
  const id = await fixture.subscribe(['vendor.order.assigned']);
  for (let call = 0; call < 12; call += 1) {
    expect((await fire(one, otherVendor, id)).status).toBe(404);
    expect((await fire(other, fixture, id, 'vendor.offer.review-decision')).status).toBe(400);
  }
  await fixture.send('PATCH', `/${id}/active`, { isActive: false });
  for (let call = 0; call < 12; call += 1) expect((await fire(one, fixture, id)).status).toBe(422);
  await fixture.send('PATCH', `/${id}/active`, { isActive: true });
  for (let call = 0; call < 10; call += 1) expect((await fire(one, fixture, id)).status).toBe(503);
  // Used up: 429 comes before the rules (D2), and after the 404.
  expect((await fire(other, fixture, id, 'vendor.offer.review-decision')).status).toBe(429);
  expect((await fire(one, otherVendor, id)).status).toBe(404);
});

test('0 switches the limit off', async ({ processes: { gateway } }) => {
  const fixture = await newWebhookFixture(gateway);
  const id = await fixture.subscribe();
  const { dependencies, sql } = gateway;
  const off = { ...dependencies, testFires, manualDeliveriesPerMinute: 0 };
  const { app } = await gatewayOver(sql, off);
  for (let call = 0; call < 11; call += 1)
    expect((await fire({ app }, fixture, id)).status).toBe(503);
  await app.close();
});

import { expect } from 'vitest';
import type { Dependencies } from '../../../api/dependencies.ts';
import { TemporalUnavailable } from '../../../temporal/temporal-failures.ts';
import { newOperator } from '../../support/api/actors.ts';
import {
  call,
  gatewayOver,
  refusal,
  type ApiResponse,
  type Gateway,
} from '../../support/api/api.ts';
import { twoProcessesTest } from '../../support/api/two-processes.ts';
import { newWebhookFixture, orders, reviews, type WebhookFixture } from './webhook-fixture.ts';
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

/** Two API processes with the limit, over one database. */
const test = twoProcessesTest
  .extend('overrides', { scope: 'file' }, () => ({ testFires, manualDeliveriesPerMinute: 10 }))
  .extend('fixture', ({ processes }) => newWebhookFixture(processes.one));

type Target = Pick<Gateway, 'app'>;
const post = (target: Target, { vendor: { token } }: WebhookFixture, path: string, body?: object) =>
  call(target, 'POST', `/api/v1/webhooks/${path}`, { token, body });
const fire = (target: Target, fixture: WebhookFixture, id: string, eventType = orders) =>
  post(target, fixture, `${id}/test-fire`, { eventType });
const times = async (count: number, make: () => Promise<ApiResponse>, status: number) => {
  for (let made = 0; made < count; made += 1) expect((await make()).status).toBe(status);
};

/** Ten have the status, and the others are refused with the limit and the time to wait. */
function expectTen(responses: readonly ApiResponse[], status: number, reason: string): void {
  expect(responses.filter((response) => response.status === status)).toHaveLength(10);
  for (const response of responses.filter((each) => each.status !== status)) {
    expect(response).toMatchObject(refusal('TOO_MANY_REQUESTS', { reason, maximum: 10 }));
    expect(response.headers['retry-after']).toMatch(/^([1-9]|[1-5]\d|60)$/);
  }
}

test('sends ten of 24 test-fires at once', async ({ processes: { at }, fixture }) => {
  for (const id of [await fixture.subscribe(), await fixture.subscribe()]) {
    const responses = await Promise.all(
      Array.from({ length: 24 }, (_, index) => fire(at(index), fixture, id)),
    );
    expectTen(responses, 503, 'SAMPLES');
    expect(sent.splice(0)).toHaveLength(10);
  }
});

test('sends ten of 14 redeliveries', async ({ processes: { one, at }, fixture }) => {
  const id = await fixture.subscribe();
  const deliveries = await Promise.all(
    Array.from({ length: 14 }, () => fixture.delivered(id, 'succeeded')),
  );
  await times(10, () => fire(one, fixture, id), 503);
  const responses = await Promise.all(
    deliveries.map(({ attemptId }, index) =>
      post(at(index), fixture, `${id}/deliveries/${attemptId}/redeliver`),
    ),
  );
  expectTen(responses, 200, 'REDELIVERIES');
  // Neither recoveries nor operators have the limit.
  const body = { since: new Date().toISOString() };
  expect((await post(one, fixture, `${id}/recover`, body)).status).toBe(202);
  const refused = deliveries.find((_, index) => responses[index]?.status === 429);
  const { token } = await newOperator(one);
  const url = `/operator/v1/webhook-deliveries/${refused?.deliveryId}/redeliver`;
  expect((await call(one, 'POST', url, { token })).status).toBe(200);
});

test('counts only calls that send a delivery', async ({ processes: { both }, fixture }) => {
  const [one, other] = both;
  const otherVendor = await newWebhookFixture(one);
  const id = await fixture.subscribe([orders]);
  await times(12, () => fire(one, otherVendor, id), 404);
  await times(12, () => fire(other, fixture, id, reviews), 400);
  await fixture.setActive(id, false);
  await times(12, () => fire(one, fixture, id), 422);
  await fixture.setActive(id, true);
  await times(10, () => fire(one, fixture, id), 503);
  // Used up: 429 comes before the rules (D2), and after the 404.
  expect((await fire(other, fixture, id, reviews)).status).toBe(429);
  expect((await fire(one, otherVendor, id)).status).toBe(404);
});

test('has no limit at 0', async ({ processes: { one }, fixture }) => {
  const id = await fixture.subscribe();
  const off = { ...one.dependencies, manualDeliveriesPerMinute: 0 };
  const { app } = await gatewayOver(one.sql, off);
  await times(11, () => fire({ app }, fixture, id), 503);
  await app.close();
});

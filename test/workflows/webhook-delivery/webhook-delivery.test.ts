import { Webhook } from 'standardwebhooks';
import { describe, expect, vi } from 'vitest';
import { replaceSecret } from '../../../db/webhooks/subscriptions/subscription-changes.ts';
import { findSubscription } from '../../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import type { WebhookDelivery } from '../../../db/webhooks/webhook-deliveries.ts';
import { createSealer } from '../../../security/sealer.ts';
import { newWebhookSecret } from '../../../security/webhook-signature.ts';
import { webhookDeliveryId } from '../../../workflows/ids.ts';
import {
  expectNoSecret,
  freshSchedule,
  waiting,
  type DeliverySignal,
} from '../../support/webhooks/delivery.ts';
import { deliveryTest, ownRuns } from '../../support/webhooks/delivery-test.ts';
import {
  holding,
  notForAWhile,
  status,
  statuses,
  type ReceivedRequest,
} from '../../support/webhooks/receiver.ts';

const test = deliveryTest(ownRuns)
  .extend(
    'subscription',
    ({ gateway, fixture }) =>
      () =>
        findSubscription(gateway.sql, fixture.vendorId, fixture.subscription.id),
  )
  /** Gives each test what `all` reads: what a delivery has come to. */
  .extend('all', ({ fixture }) => async (delivery: WebhookDelivery) => ({
    delivery: await fixture.stored(delivery.id),
    attempts: await fixture.attempts(),
    requests: fixture.requestsOf(delivery).length,
  }));

/** The body of a request that a secret verifies. */
const verify = (secret: string, { body, headers }: ReceivedRequest, text = body): unknown =>
  new Webhook(secret).verify(text, headers as Record<string, string>);
const failed = (httpStatus: number, attemptNumber: number) => ({
  attemptNumber,
  succeeded: false,
  httpStatus,
  errorSummary: expect.stringMatching(/^http_status/),
});

test('arrives at once, signed by Standard Webhooks', async ({ fixture, subscription }) => {
  const { secret } = fixture.subscription;
  const delivery = await fixture.ended(await fixture.emit({ reason: 'für alle Fälle ✓' }));

  expect(delivery.state).toBe('succeeded');
  const requests = fixture.requestsOf(delivery);
  const [request = expect.unreachable()] = requests;
  expect(requests).toHaveLength(1);
  expect(request.headers).toMatchObject({
    'content-type': 'application/json',
    'accept-encoding': 'identity',
    'user-agent': expect.stringMatching(/^vendor-gateway\/\d/),
  });
  const { vendorId } = fixture;
  const { eventId } = delivery;
  expect(verify(secret, request)).toMatchObject({ eventId, vendorId });
  expect(() => verify(secret, request, `${request.body} `)).toThrow(/signature/);
  const attempt = { attemptNumber: 1, succeeded: true, httpStatus: 200, errorSummary: null };
  const stored = [{ eventId, ...attempt, deadLetteredAt: null }];
  expect(await fixture.attempts()).toMatchObject(stored);
  expect(await subscription()).toMatchObject({ lastDeliveryStatus: 'Success' });
  await fixture.record(delivery, 'first-try');
});

test('is retried with its id and body until it succeeds', async ({
  receiver,
  gateway,
  fixture,
}) => {
  receiver.answerWith(statuses(503, 503, 204));
  const delivery = await fixture.ended(await fixture.emit({ reason: 'für alle Fälle ✓' }));

  expect(delivery).toMatchObject({ state: 'succeeded', attempts: 3, deadLetteredAt: null });
  const requests = fixture.requestsOf(delivery);
  expect(requests).toHaveLength(3);
  expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  const { secret } = fixture.subscription;
  for (const request of requests) verify(secret, request);
  const success = { attemptNumber: 3, httpStatus: 204, errorSummary: null };
  expect(await fixture.attempts()).toMatchObject([failed(503, 1), failed(503, 2), success]);
  const texts = [secret.slice('whsec_'.length), 'für alle Fälle', receiver.origin];
  await expectNoSecret(gateway.client, webhookDeliveryId(delivery.id), delivery.id, texts);
  await fixture.record(delivery, 'retry-then-success');
});

// `test/deliveries/send-attempt.test.ts` has what a Retry-After asks for.
test('makes each attempt at its nextAttemptAt, and is dead-lettered after the last', async ({
  receiver,
  fixture,
  subscription,
}) => {
  receiver.answerWith(status(500));
  const delivery = await fixture.ended(await fixture.emit());

  const deadLetteredAt = expect.any(Date);
  expect(delivery).toMatchObject({ state: 'deadLettered', attempts: 4, deadLetteredAt });
  const attempts = await fixture.attempts();
  expect(attempts).toMatchObject([
    { ...failed(500, 1), deadLetteredAt: null },
    { ...failed(500, 2), deadLetteredAt: null },
    { ...failed(500, 3), deadLetteredAt: null },
    { ...failed(500, 4), deadLetteredAt },
  ]);
  expect(attempts[3]?.nextAttemptAt).toEqual(attempts[3]?.sentAt);
  const arrivals = fixture.requestsOf(delivery).map(({ arrivedAt }) => arrivedAt);
  expect(arrivals).toHaveLength(4);
  const due = attempts.slice(0, -1).map(({ nextAttemptAt }) => nextAttemptAt.getTime());
  const timers = await fixture.timers(delivery);
  expect(timers).toMatchObject(due.map(() => ({ hasFired: true })));
  for (const [index, instant] of due.entries()) {
    expect(arrivals[index + 1]).toBeGreaterThanOrEqual(instant);
    const { nowMs = 0, durationMs = 0, dueMs = 0 } = timers[index] ?? {};
    expect(dueMs).toBeGreaterThanOrEqual(instant);
    // A workflow knows whole milliseconds; one that is past its instant waits for the least time
    // that there is.
    expect(durationMs).toBe(Math.max(1, instant - nowMs));
  }
  const left = { lastDeliveryStatus: 'DeadLettered', isActive: true };
  expect(await subscription()).toMatchObject(left);
  await fixture.record(delivery, 'dead-letter');
});

test('signs each attempt only by the present secret', async ({ receiver, gateway, fixture }) => {
  const { id, secret } = fixture.subscription;
  const rotated = newWebhookSecret();
  receiver.answerWith((response) => {
    receiver.answerWith(status(200));
    const secretSealed = createSealer(gateway.config.SECRETS_KEY).seal(rotated, id);
    void replaceSecret(gateway.sql, fixture.vendorId, { id, secretSealed }).then((outcome) =>
      response.writeHead(outcome === 'done' ? 500 : 410).end(),
    );
  });
  const delivery = await fixture.ended(await fixture.emit());

  expect(delivery.state).toBe('succeeded');
  const [before = expect.unreachable(), after = expect.unreachable()] =
    fixture.requestsOf(delivery);
  verify(secret, before);
  verify(rotated, after);
  expect(() => verify(rotated, before)).toThrow(/signature/);
  expect(() => verify(secret, after)).toThrow(/signature/);
  for (const { headers } of [before, after])
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(1);
  await fixture.record(delivery, 'rotated');
});

const ended: DeliverySignal = { signal: 'ended', attempts: 1, state: 'succeeded' };

describe.each<readonly [string, DeliverySignal]>([
  ['fresh-schedule', freshSchedule],
  ['retry', { signal: 'retry', attempts: 1, tries: 1, dueAt: new Date(0).toISOString() }],
  ['ended', ended],
  ['deactivated', { signal: 'deactivated' }],
])('a repeated message %s', (name, message) => {
  test('changes nothing of a delivery that has ended', async ({ receiver, fixture, all }) => {
    receiver.answerWith(statuses(500));
    const delivery = await fixture.ended(await fixture.emit());
    const before = await all(delivery);
    expect(before).toMatchObject({ delivery: { state: 'succeeded', attempts: 2 }, requests: 2 });

    await fixture.hand(delivery.id, message);
    expect(await fixture.run(delivery.id).result()).toBe('succeeded');
    expect(await all(delivery)).toEqual(before);
    await fixture.replay(delivery);
  });

  test('changes neither instant nor run of one that waits', async ({ receiver, fixture, all }) => {
    receiver.answerWith(notForAWhile);
    const delivery = await fixture.emit();
    await fixture.untilWaiting(delivery);
    const before = await all(delivery);
    const runId = await fixture.runId(delivery);

    await fixture.hand(delivery.id, message);
    await fixture.hand(delivery.id, message);
    // The run answers the query after the messages.
    await fixture.run(delivery.id).query('__temporal_workflow_metadata');
    await fixture.untilWaiting(delivery);
    expect(await all(delivery)).toEqual(before);
    expect(await fixture.runId(delivery)).toBe(runId);
    const open = (await fixture.timers(delivery)).filter(({ isCanceled }) => !isCanceled);
    expect(open).toHaveLength(1);
    // The run reads the record in less than a second, while it waits for minutes.
    const dueMs = before.attempts[0]?.nextAttemptAt.getTime() ?? 0;
    for (const { nowMs, durationMs } of open)
      expect(Math.abs(nowMs + durationMs - dueMs)).toBeLessThan(1000);
    await fixture.switchOff();
    expect((await fixture.ended(delivery)).state).toBe('cancelled');
    await fixture.replay(delivery);
    await fixture.record(delivery, `duplicate-${name}`);
  });
});

test('starts one run for a repeated end, which sends nothing', async ({ gateway, fixture }) => {
  const delivery = await fixture.emitUnsent();
  const { id } = delivery;
  await gateway.sql`
    update webhook_deliveries set state = 'succeeded', attempts = 1 where id = ${id}`;
  await fixture.hand(id, ended);
  const runId = await fixture.runId({ id });
  await fixture.hand(id, ended);
  expect(await fixture.run(id).result()).toBe('succeeded');
  await fixture.hand(id, ended);
  expect(await fixture.runId({ id })).toBe(runId);
  expect(fixture.requestsOf(delivery)).toEqual([]);
});

test.for([
  ['deactivated', ['switchOff']],
  ['reactivated', ['switchOff', 'switchOn']],
  ['deleted', ['remove']],
] as const)(
  'ends a waiting delivery at once when its subscription is %s',
  async ([name, changes], { receiver, fixture }) => {
    receiver.answerWith(notForAWhile);
    const delivery = await fixture.emit();
    await fixture.untilWaiting(delivery);
    receiver.answerWith(status(200));
    for (const change of changes) await fixture[change]();

    // The record ended it at once; the run follows without a request, and its timer is no more.
    expect(await fixture.stored(delivery.id)).toMatchObject({ state: 'cancelled', attempts: 2 });
    const texts = ['1 http_status 503', '2 subscription_inactive'];
    expect(await fixture.attemptTexts()).toEqual(texts);
    const unsent = { succeeded: false, sentAt: null, httpStatus: null };
    expect((await fixture.attempts()).at(-1)).toMatchObject(unsent);
    expect((await fixture.ended(delivery)).state).toBe('cancelled');
    expect(await fixture.timers(delivery)).toMatchObject([{ hasFired: false, isCanceled: true }]);
    expect(fixture.requestsOf(delivery)).toHaveLength(1);
    expect(await fixture.attemptTexts()).toEqual(texts);
    await fixture.record(delivery, `${name}-while-waiting`);
  },
);

// `test/db/webhooks/delivery-table.test.ts` has the same of a request of the relay.
test.for([
  ['failed', 500, 'cancelled', ['1 http_status 500', '2 subscription_inactive']],
  ['succeeded', 200, 'succeeded', ['1 succeeded']],
] as const)(
  'lets a request under way at a deactivation end: it %s by %i, its delivery is %s',
  async ([name, code, state, texts], { receiver, fixture }) => {
    const { held, respond, giveAll } = holding();
    receiver.answerWith(respond);
    const emitted = await fixture.emitUnsent();
    await fixture.hand(emitted.id, freshSchedule);
    await vi.waitFor(() => expect(held).toHaveLength(1), waiting);
    expect(await fixture.switchOff()).toBe('done');
    expect(await fixture.attemptTexts()).toEqual(['1 under way']);
    giveAll(code);

    const delivery = await fixture.ended(emitted);
    expect(delivery).toMatchObject({ state, attempts: texts.length });
    expect(fixture.requestsOf(delivery)).toHaveLength(1);
    expect(await fixture.attemptTexts()).toEqual(texts);
    expect((await fixture.timers(delivery)).filter(({ hasFired }) => !hasFired)).toEqual([]);
    await fixture.record(delivery, `deactivated-then-${name}`);
  },
);

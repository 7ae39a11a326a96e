import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { replaceSecret } from '../../../db/webhooks/subscriptions/subscription-changes.ts';
import { findSubscription } from '../../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import { createSealer } from '../../../security/sealer.ts';
import { newWebhookSecret } from '../../../security/webhook-signature.ts';
import { webhookDeliveryId } from '../../../workflows/ids.ts';
import { expectNoSecret } from '../../support/webhooks/delivery.ts';
import { deliveryTest, ownRuns } from '../../support/webhooks/delivery-test.ts';
import { status, statuses, type ReceivedRequest } from '../../support/webhooks/receiver.ts';

const test = deliveryTest(ownRuns).extend(
  'subscription',
  ({ gateway, fixture }) =>
    () =>
      findSubscription(gateway.sql, fixture.vendorId, fixture.subscription.id),
);

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

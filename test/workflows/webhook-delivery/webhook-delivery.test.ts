import { Webhook } from 'standardwebhooks';
import { describe, expect } from 'vitest';
import { newEvent } from '../../../db/webhooks/webhook-events.ts';
import { insertSample } from '../../../db/webhooks/webhook-samples.ts';
import { replaceSecret } from '../../../db/webhooks/subscriptions/subscription-changes.ts';
import { findSubscription } from '../../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import { createSealer } from '../../../security/sealer.ts';
import { newWebhookSecret } from '../../../security/webhook-signature.ts';
import { createTestFires } from '../../../api/webhooks/test-fires.ts';
import { webhookDeliveryId } from '../../../workflows/ids.ts';
import { type DeliveryFixture } from '../../support/webhooks/delivery.ts';
import { type TestGateway } from '../../support/gateway/gateway.ts';
import { readableHistory } from '../../support/history.ts';
import { status, statuses } from '../../support/webhooks/receiver.ts';
import { deliveryTest } from '../../support/webhooks/delivery-test.ts';

const test = deliveryTest({
  WEBHOOK_RUNS_PER_SECOND: '1000',
  WEBHOOK_RETRY_DELAYS_MS: '50,50,50',
  WEBHOOK_TIMEOUT_MS: '2000',
});

const subscription = (gateway: TestGateway, fixture: DeliveryFixture) =>
  findSubscription(gateway.sql, fixture.vendorId, fixture.subscription.id);
const asText = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

describe('a delivery', () => {
  test('arrives at once, signed by Standard Webhooks', async ({ gateway, fixture }) => {
    const { secret } = fixture.subscription;
    const delivery = await fixture.ended(await fixture.emit({ reason: 'für alle Fälle ✓' }));

    expect(delivery.state).toBe('succeeded');
    const [request, ...more] = fixture.requestsOf(delivery);
    expect(more).toEqual([]);
    const headers = asText(request?.headers ?? {});
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'user-agent': expect.stringMatching(/^vendor-gateway\/\d/),
    });
    const body = request?.body ?? '';
    const { vendorId } = fixture;
    const { eventId } = delivery;
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ eventId, vendorId });
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow(/signature/);
    expect(await fixture.attempts()).toMatchObject([
      {
        eventId,
        attemptNumber: 1,
        succeeded: true,
        httpStatus: 200,
        errorSummary: null,
        deadLetteredAt: null,
      },
    ]);
    expect(await subscription(gateway, fixture)).toMatchObject({ lastDeliveryStatus: 'Success' });
    await fixture.record(delivery, 'first-try');
  });

  test('is retried with its id and body until it succeeds', async ({ receiver, fixture }) => {
    receiver.answerWith(statuses(503, 503, 204));
    const delivery = await fixture.ended(await fixture.emit());

    expect(delivery).toMatchObject({ state: 'succeeded', attempts: 3, deadLetteredAt: null });
    const requests = fixture.requestsOf(delivery);
    expect(requests).toHaveLength(3);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    for (const { headers, body } of requests)
      new Webhook(fixture.subscription.secret).verify(body, asText(headers));
    expect(
      (await fixture.attempts()).map(({ attemptNumber, httpStatus, errorSummary }) => [
        attemptNumber,
        httpStatus,
        errorSummary,
      ]),
    ).toEqual([
      [1, 503, expect.stringMatching(/^http_status/)],
      [2, 503, expect.stringMatching(/^http_status/)],
      [3, 204, null],
    ]);
    await fixture.record(delivery, 'retry-then-success');
  });

  test('is dead-lettered after the last attempt', async ({ receiver, gateway, fixture }) => {
    receiver.answerWith(status(500));
    const delivery = await fixture.ended(await fixture.emit());

    expect(delivery).toMatchObject({
      state: 'deadLettered',
      attempts: 4,
      deadLetteredAt: expect.any(Date),
    });
    const attempts = await fixture.attempts();
    const last = attempts.at(-1);
    expect(last).toMatchObject({
      attemptNumber: 4,
      succeeded: false,
      deadLetteredAt: expect.any(Date),
    });
    expect(last?.nextAttemptAt).toEqual(last?.sentAt);
    expect(attempts.slice(0, -1).map(({ deadLetteredAt }) => deadLetteredAt)).toEqual([
      null,
      null,
      null,
    ]);
    expect(await subscription(gateway, fixture)).toMatchObject({
      lastDeliveryStatus: 'DeadLettered',
      isActive: true,
    });
    await fixture.record(delivery, 'dead-letter');
  });

  test('ends with its subscription at a 410', async ({ receiver, gateway, fixture }) => {
    receiver.answerWith(status(410));
    const delivery = await fixture.ended(await fixture.emit());

    expect(delivery.state).toBe('deadLettered');
    expect(await fixture.attemptTexts()).toEqual(['1 http_status 410']);
    expect(await subscription(gateway, fixture)).toMatchObject({ isActive: false });
    await fixture.record(delivery, 'gone-at-once');
  });

  test('verifies only by the rotated secret', async ({ receiver, gateway, fixture }) => {
    const { id, secret } = fixture.subscription;
    const rotated = newWebhookSecret();
    receiver.answerWith((response, number) => {
      receiver.answerWith(status(200));
      const secretSealed = createSealer(gateway.config.SECRETS_KEY).seal(rotated, id);
      void replaceSecret(gateway.sql, fixture.vendorId, { id, secretSealed }).then((outcome) =>
        response.writeHead(outcome === 'done' && number > 0 ? 500 : 410).end(),
      );
    });
    const delivery = await fixture.ended(await fixture.emit());

    expect(delivery.state).toBe('succeeded');
    const requests = fixture
      .requestsOf(delivery)
      .map(({ body, headers }) => ({ body, headers: asText(headers) }));
    const verifies = requests.map(({ body, headers }) =>
      [secret, rotated].map((each) => {
        try {
          return new Webhook(each).verify(body, headers) !== null;
        } catch {
          return false;
        }
      }),
    );
    expect(verifies).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(requests.map(({ headers }) => headers['webhook-signature']?.split(' ').length)).toEqual([
      1, 1,
    ]);
    await fixture.record(delivery, 'rotated');
  });

  test('leaves no secret, body or URL in its history', async ({ receiver, gateway, fixture }) => {
    receiver.answerWith(statuses(500));
    const delivery = await fixture.ended(await fixture.emit({ reason: 'für alle Fälle ✓' }));

    const history = await readableHistory(gateway.client, webhookDeliveryId(delivery.id));

    expect(history).toContain(delivery.id);
    expect(history).not.toContain(fixture.subscription.secret.slice('whsec_'.length));
    expect(history).not.toContain('für alle Fälle');
    expect(history).not.toContain(receiver.origin);
  });
});

test.for([500, 410])(
  'a sample that is answered %i ends as failed: no retry, no dead letter',
  async (code, { receiver, gateway, fixture }) => {
    receiver.answerWith(status(code));
    const { vendorId } = fixture;
    const eventType = 'vendor.offer.review-decision';
    const event = newEvent({ eventType, vendorId, occurredAt: new Date(), data: {} });
    const deliveryId = await insertSample(gateway.sql, event, fixture.subscription.id);
    await createTestFires(gateway.sql, gateway.config.WEBHOOK_TIMEOUT_MS).waitFor(deliveryId);

    const delivery = await fixture.ended(await fixture.stored(deliveryId));
    expect(delivery).toMatchObject({ state: 'failed', attempts: 1, deadLetteredAt: null });
    expect(fixture.requestsOf(delivery)).toHaveLength(1);
    const [attempt, ...more] = await fixture.attempts();
    expect(more).toEqual([]);
    expect(attempt).toMatchObject({ httpStatus: code, succeeded: false, deadLetteredAt: null });
    expect(attempt?.nextAttemptAt).toEqual(attempt?.sentAt);
    expect(await subscription(gateway, fixture)).toMatchObject({
      lastDeliveryStatus: 'Failed',
      isActive: true,
    });
    if (code === 500) await fixture.record(delivery, 'sample-failed');
  },
);

import { Webhook } from 'standardwebhooks';
import { describe, expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { newEvent } from '../../../db/webhooks/webhook-events.ts';
import { insertSample } from '../../../db/webhooks/webhook-samples.ts';
import { replaceSecret } from '../../../db/webhooks/subscription-changes.ts';
import { findSubscription } from '../../../db/webhooks/webhook-subscriptions.ts';
import { createSealer } from '../../../security/sealer.ts';
import { newWebhookSecret } from '../../../security/webhook-signature.ts';
import { createTestFires } from '../../../temporal/test-fires.ts';
import { webhookDeliveryId } from '../../../workflows/ids.ts';
import { createDeliveryStage, type DeliveryStage } from '../../support/webhooks/delivery.ts';
import { type TestGateway } from '../../support/gateway.ts';
import { readableHistory } from '../../support/history.ts';
import { status, statuses } from '../../support/webhooks/receiver.ts';
import { workflowTest } from '../../support/workflow-test.ts';

const test = workflowTest
  .extend('settings', { scope: 'file' }, ({ receiver }) => ({
    WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
    WEBHOOK_RETRY_DELAYS_MS: '50,50,50',
    WEBHOOK_TIMEOUT_MS: '2000',
  }))
  .extend('stage', ({ gateway, receiver }) => createDeliveryStage(gateway, receiver));

test.afterEach(({ receiver }) => {
  receiver.answerWith(status(200));
});

const subscription = (gateway: TestGateway, stage: DeliveryStage) =>
  findSubscription(gateway.sql, stage.vendorId, stage.subscription.id);
const asText = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

describe('a delivery', () => {
  test('arrives at once, signed so that the Standard Webhooks library accepts it', async ({
    gateway,
    stage,
  }) => {
    const { secret } = stage.subscription;
    const delivery = await stage.ended(await stage.emit({ reason: 'für alle Fälle ✓' }));

    expect(delivery.state).toBe('succeeded');
    const [request, ...more] = stage.requestsOf(delivery);
    expect(more).toEqual([]);
    const headers = asText(request?.headers ?? {});
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'user-agent': expect.stringMatching(/^vendor-gateway\/\d/),
    });
    const body = request?.body ?? '';
    const { vendorId } = stage;
    const { eventId } = delivery;
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ eventId, vendorId });
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow(/signature/);
    expect(await stage.attempts()).toMatchObject([
      {
        eventId,
        attemptNumber: 1,
        succeeded: true,
        httpStatus: 200,
        errorSummary: null,
        deadLetteredAt: null,
      },
    ]);
    expect(await subscription(gateway, stage)).toMatchObject({ lastDeliveryStatus: 'Success' });
    await stage.record(delivery, 'first-try');
  });

  test('is tried again until it succeeds, with the same id and body and a signature of its own', async ({
    receiver,
    stage,
  }) => {
    receiver.answerWith(statuses(503, 503, 204));
    const delivery = await stage.ended(await stage.emit());

    expect(delivery).toMatchObject({ state: 'succeeded', attempts: 3, deadLetteredAt: null });
    const requests = stage.requestsOf(delivery);
    expect(requests).toHaveLength(3);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    for (const { headers, body } of requests)
      new Webhook(stage.subscription.secret).verify(body, asText(headers));
    expect(
      (await stage.attempts()).map(({ attemptNumber, httpStatus, errorSummary }) => [
        attemptNumber,
        httpStatus,
        errorSummary,
      ]),
    ).toEqual([
      [1, 503, expect.stringMatching(/^http_status/)],
      [2, 503, expect.stringMatching(/^http_status/)],
      [3, 204, null],
    ]);
    await stage.record(delivery, 'retry-then-success');
  });

  test('is dead-lettered after the last attempt', async ({ receiver, gateway, stage }) => {
    receiver.answerWith(status(500));
    const delivery = await stage.ended(await stage.emit());

    expect(delivery).toMatchObject({
      state: 'deadLettered',
      attempts: 4,
      deadLetteredAt: expect.any(Date),
    });
    const attempts = await stage.attempts();
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
    expect(await subscription(gateway, stage)).toMatchObject({
      lastDeliveryStatus: 'DeadLettered',
      isActive: true,
    });
    await stage.record(delivery, 'dead-letter');
  });

  test('to a receiver that is gone (410) ends at once, and the subscription with it', async ({
    receiver,
    gateway,
    stage,
  }) => {
    receiver.answerWith(status(410));
    const delivery = await stage.ended(await stage.emit());

    expect(delivery.state).toBe('deadLettered');
    expect(await stage.told()).toEqual(['1 http_status 410']);
    expect(await subscription(gateway, stage)).toMatchObject({ isActive: false });
    await stage.record(delivery, 'gone-at-once');
  });

  test('whose secret was rotated after a failure verifies at its next attempt with the new secret only', async ({
    receiver,
    gateway,
    stage,
  }) => {
    const { id, secret } = stage.subscription;
    const rotated = newWebhookSecret();
    receiver.answerWith((response, number) => {
      receiver.answerWith(status(200));
      const secretSealed = createSealer(gateway.config.SECRETS_KEY).seal(rotated, id);
      void replaceSecret(gateway.sql, stage.vendorId, { id, secretSealed }).then((outcome) =>
        response.writeHead(outcome === 'done' && number > 0 ? 500 : 410).end(),
      );
    });
    const delivery = await stage.ended(await stage.emit());

    expect(delivery.state).toBe('succeeded');
    const requests = stage
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
    await stage.record(delivery, 'rotated');
  });

  test('leaves no secret, no body and no URL in its history', async ({
    receiver,
    gateway,
    stage,
  }) => {
    receiver.answerWith(statuses(500));
    const delivery = await stage.ended(await stage.emit({ reason: 'für alle Fälle ✓' }));

    const history = await readableHistory(gateway.client, webhookDeliveryId(delivery.id));

    expect(history).toContain(delivery.id);
    expect(history).not.toContain(stage.subscription.secret.slice('whsec_'.length));
    expect(history).not.toContain('für alle Fälle');
    expect(history).not.toContain(receiver.origin);
  });
});

test.for([500, 410])(
  'a sample that is answered %i ends as failed: no retry, no dead letter',
  async (code, { receiver, gateway, stage }) => {
    receiver.answerWith(status(code));
    const { vendorId } = stage;
    const deliveryId = uuidv7();
    const eventType = 'vendor.offer.review-decision';
    const event = newEvent({ eventType, vendorId, occurredAt: new Date(), data: {} });
    await insertSample(gateway.sql, event, {
      id: deliveryId,
      subscriptionId: stage.subscription.id,
    });
    const { TEMPORAL_TASK_QUEUE: taskQueue, WEBHOOK_TIMEOUT_MS: attemptTimeoutMs } = gateway.config;
    await createTestFires(gateway.client, { taskQueue, attemptTimeoutMs }).send({
      deliveryId,
      vendorId,
      eventType,
    });

    const delivery = await stage.ended(await stage.stored(deliveryId));
    expect(delivery).toMatchObject({ state: 'failed', attempts: 1, deadLetteredAt: null });
    expect(stage.requestsOf(delivery)).toHaveLength(1);
    const [attempt, ...more] = await stage.attempts();
    expect(more).toEqual([]);
    expect(attempt).toMatchObject({ httpStatus: code, succeeded: false, deadLetteredAt: null });
    expect(attempt?.nextAttemptAt).toEqual(attempt?.sentAt);
    expect(await subscription(gateway, stage)).toMatchObject({
      lastDeliveryStatus: 'Failed',
      isActive: true,
    });
    if (code === 500) await stage.record(delivery, 'sample-failed');
  },
);

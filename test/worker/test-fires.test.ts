import { Webhook } from 'standardwebhooks';
import { pino } from 'pino';
import { afterAll, describe, expect, test as base, vi } from 'vitest';
import { createDeliveryPipeline } from '../../activities/deliveries/delivery-pipeline.ts';
import { createTestFires } from '../../api/webhooks/test-fires.ts';
import type { EventType } from '../../domain/webhooks/events.ts';
import { createSender } from '../../guardrail/send/send.ts';
import { checkUrl } from '../../guardrail/url.ts';
import { createSealer } from '../../security/sealer.ts';
import { startRelay } from '../../relay/relay.ts';
import { itemsOf, gatewayOver, refusal, textOf, type Gateway } from '../support/api/api.ts';
import {
  newWebhookFixture,
  storedDelivery,
  storedSubscription,
  type WebhookFixture,
} from '../api/webhooks/webhook-fixture.ts';
import { findDelivery } from '../../db/webhooks/webhook-deliveries.ts';
import { webhookDeliveryBatchId } from '../../workflows/ids.ts';
import { createTestGateway, type TestGateway } from '../support/gateway/gateway.ts';
import { startTestReceiver, type TestReceiver } from '../support/webhooks/receiver.ts';

// A sample from the vendor's call to its receiver and back: the API, a worker, a real receiver.

const eventType: EventType = 'vendor.order.assigned';
const timeoutMs = 1000;
/** How much longer than an attempt a call waits where no worker makes one. */
const withoutWorkerMs = 1000;

const test = base.extend('receiver', { scope: 'file' }, async ({}, { onCleanup }) => {
  const receiver = await startTestReceiver();
  onCleanup(() => receiver.close());
  return receiver;
});

let fixture: WebhookFixture;
let id: string;
let secret: string;
test.afterEach(({ receiver }) => {
  receiver.answerWith((response) => {
    response.end();
  });
});

const newGateway = (receiver: TestReceiver) =>
  createTestGateway({
    WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
    WEBHOOK_TIMEOUT_MS: String(timeoutMs),
  });

/** The API over a gateway's record, with a vendor that has subscribed the receiver. */
async function subscribeReceiver(
  receiver: TestReceiver,
  { sql, config }: TestGateway,
  overheadMs?: number,
): Promise<void> {
  const api: Omit<Gateway, 'close'> = await gatewayOver(sql, {
    testFires: createTestFires(sql, timeoutMs, overheadMs),
    sealer: createSealer(config.SECRETS_KEY),
    checkDestination: async (url) =>
      checkUrl(url, { allowedPorts: [443], allowedOrigins: [receiver.origin] }),
  });
  fixture = await newWebhookFixture({ ...api, close: () => api.app.close() });
  const made = await fixture.send('POST', '', { url: receiver.url, eventTypes: [eventType] });
  ({ id } = (made.payload as { subscription: { id: string } }).subscription);
  secret = textOf(made, 'secret');
}

const fire = () => fixture.send('POST', `/${id}/test-fire`, { eventType });
const requestsOf = (receiver: TestReceiver, eventId: string) =>
  receiver.requests.filter(({ headers }) => headers['webhook-id'] === eventId);
const listed = async () => itemsOf(await fixture.send('GET', `/${id}/deliveries`));
const lastStatus = async () =>
  (await fixture.send('GET', `/${id}`)).payload?.['lastDeliveryStatus'];
const signatureOf = ({ headers }: TestReceiver['requests'][number]) => ({
  'webhook-id': String(headers['webhook-id']),
  'webhook-timestamp': String(headers['webhook-timestamp']),
  'webhook-signature': String(headers['webhook-signature']),
});

describe('with a worker', () => {
  let gateway: TestGateway;

  test.beforeAll(async ({ receiver }) => {
    gateway = await newGateway(receiver);
    await gateway.startWorker();
  });
  afterAll(() => gateway.stop());
  test.beforeEach(({ receiver }) => subscribeReceiver(receiver, gateway));

  test('sends a signed sample once', async ({ receiver }) => {
    const answer = await fire();
    expect(answer).toMatchObject({
      status: 200,
      payload: { attemptNumber: 1, httpStatus: 200, succeeded: true, errorSummary: null },
    });
    const eventId = textOf(answer, 'idempotencyKey');
    const [request, ...more] = requestsOf(receiver, eventId);
    if (request === undefined) throw new Error('nothing arrived');
    expect(more).toEqual([]);
    expect(new Webhook(secret).verify(request.body, signatureOf(request))).toMatchObject({
      eventId,
      eventType,
      test: true,
      vendorId: fixture.vendor.vendorId,
    });
    expect(await listed()).toEqual([answer.payload]);
    expect(await lastStatus()).toBe('Success');
  });

  test('returns a failure once', async ({ receiver }) => {
    receiver.answerWith((response) => {
      response.writeHead(503).end();
    });
    const answer = await fire();
    expect(answer).toMatchObject({
      status: 200,
      payload: { succeeded: false, httpStatus: 503, deadLetteredAt: null },
    });
    expect(answer.payload?.['nextAttemptAt']).toBe(answer.payload?.['sentAt']);
    expect(requestsOf(receiver, textOf(answer, 'idempotencyKey'))).toHaveLength(1);
    expect(await listed()).toEqual([answer.payload]);
    expect(await lastStatus()).toBe('Failed');
    expect(await storedSubscription(gateway.sql, id)).toMatchObject({
      isActive: true,
      deadLetters: 0,
    });
  });
});

/** The one sample of the vendor's that is stored. */
async function storedSample({ sql }: TestGateway): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    select id from webhook_deliveries where vendor_id = ${fixture.vendor.vendorId} and is_test`;
  return row?.id ?? '';
}

test('sends nothing after a 504', async ({ receiver }) => {
  const gateway = await newGateway(receiver);
  try {
    await subscribeReceiver(receiver, gateway, withoutWorkerMs);
    const before = receiver.requests.length;
    expect(await fire()).toMatchObject(refusal('GATEWAY_TIMEOUT'));
    const deliveryId = await storedSample(gateway);
    const ended = { state: 'cancelled', attemptTexts: [] };
    expect(await storedDelivery(gateway.sql, deliveryId)).toMatchObject(ended);
    await gateway.startWorker();
    await vi.waitFor(
      async () => expect((await storedDelivery(gateway.sql, deliveryId)).signals).toEqual([]),
      { timeout: 20_000 },
    );
    expect(await storedDelivery(gateway.sql, deliveryId)).toMatchObject(ended);
    expect(receiver.requests).toHaveLength(before);
    expect(await listed()).toEqual([]);
  } finally {
    await gateway.stop();
  }
}, 90_000);

test('sends no sample after 90 s', async ({ receiver }) => {
  const gateway = await newGateway(receiver);
  try {
    await subscribeReceiver(receiver, gateway, withoutWorkerMs);
    const before = receiver.requests.length;
    // The API stores the sample and dies: nothing cancels it.
    const fired = fire();
    await expect.poll(() => storedSample(gateway), { timeout: 10_000, interval: 10 }).not.toBe('');
    const deliveryId = await storedSample(gateway);
    await fired;
    await gateway.sql`
      update webhook_deliveries set state = 'waiting', created_at = now() - interval '91 seconds'
      where id = ${deliveryId}`;
    await gateway.startWorker();
    const batchRun = async (): Promise<string> => {
      const { batchId } = await findDelivery(gateway.sql, deliveryId).then(
        (delivery) => delivery ?? { batchId: null },
      );
      if (batchId === null) throw new Error('the sample is in no batch');
      const run = gateway.client.workflow.getHandle(webhookDeliveryBatchId(batchId));
      return (await run.describe()).status.name;
    };
    // The run of its batch finds nothing to make.
    await expect.poll(batchRun, { timeout: 30_000, interval: 50 }).toBe('COMPLETED');
    expect((await storedDelivery(gateway.sql, deliveryId)).attemptTexts).toEqual([]);
    expect(receiver.requests).toHaveLength(before);
  } finally {
    await gateway.stop();
  }
}, 90_000);

test('without Temporal a sample arrives, and its attempt is the answer', async ({ receiver }) => {
  const gateway = await newGateway(receiver);
  const { sql, config } = gateway;
  const sender = createSender({
    policy: { allowedPorts: [443], allowedOrigins: [receiver.origin] },
    timeoutMs,
  });
  const relay = startRelay({
    sql,
    databaseUrl: gateway.ownerUrl,
    handleMessage: () => Promise.reject(new Error('away')),
    isOutage: () => true,
    log: pino({ level: 'silent' }),
    lowPriorityPerSecond: 20,
    hasJobs: () => false,
    deliveries: {
      pipeline: createDeliveryPipeline({
        sql,
        sender,
        sealer: createSealer(config.SECRETS_KEY),
        userAgent: 'test',
        hostConcurrencyMax: 5,
        subscriptionConcurrencyMax: 5,
        failureLimit: { failingMs: 1e12, deadLetters: 1e6 },
        keepsAnswers: true,
      }),
      retryDelayMs: null,
      timeoutMs,
      runsPerSecond: 5,
    },
  });
  try {
    await subscribeReceiver(receiver, gateway);
    const answer = await fire();
    expect(answer).toMatchObject({ status: 200, payload: { succeeded: true, httpStatus: 200 } });
    expect(requestsOf(receiver, textOf(answer, 'idempotencyKey'))).toHaveLength(1);
  } finally {
    await relay.stop();
    await sender.close();
    await gateway.stop();
  }
});

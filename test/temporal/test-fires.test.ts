import { Client, Connection } from '@temporalio/client';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, test as base } from 'vitest';
import type { EventType } from '../../domain/webhooks/events.ts';
import { checkUrl } from '../../guardrail/url.ts';
import { createSealer } from '../../security/sealer.ts';
import { createTestFires, type TestFires } from '../../temporal/test-fires.ts';
import { webhookDeliveryId } from '../../workflows/ids.ts';
import { itemsOf, gatewayOver, refusal, textOf, type Gateway } from '../api/support/api.ts';
import {
  newWebhookFixture,
  storedDelivery,
  storedSubscription,
  type WebhookFixture,
} from '../api/webhooks/webhook-fixture.ts';
import { createTestGateway, type TestGateway } from '../support/gateway.ts';
import { startTestReceiver, type TestReceiver } from '../support/webhooks/receiver.ts';

// A sample from the vendor's call to its receiver and back: the API, Temporal, a worker, a real receiver.

const eventType: EventType = 'vendor.order.assigned';
const timeoutMs = 1000;

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

const firesOver = ({ config }: TestGateway, client: Client): TestFires =>
  createTestFires(client, { taskQueue: config.TEMPORAL_TASK_QUEUE, attemptTimeoutMs: timeoutMs });

/** The API over a gateway's record, with a vendor that has subscribed the receiver. */
async function subscribeReceiver(
  receiver: TestReceiver,
  { sql, config }: TestGateway,
  testFires: TestFires,
): Promise<void> {
  const api: Omit<Gateway, 'close'> = await gatewayOver(sql, {
    testFires,
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
  test.beforeEach(({ receiver }) =>
    subscribeReceiver(receiver, gateway, firesOver(gateway, gateway.client)),
  );

  test('a sample arrives once, signed, marked as a test, and its attempt is the answer and in the list', async ({
    receiver,
  }) => {
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

  test('a receiver that fails is asked once; the failure is the answer, and nothing is given up', async ({
    receiver,
  }) => {
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

  test('410 to a sample makes nothing inactive', async ({ receiver }) => {
    receiver.answerWith((response) => {
      response.writeHead(410).end();
    });
    expect((await fire()).payload).toMatchObject({
      succeeded: false,
      httpStatus: 410,
      deadLetteredAt: null,
    });
    expect(await storedSubscription(gateway.sql, id)).toMatchObject({
      isActive: true,
      inactiveReason: null,
    });
    expect(await lastStatus()).toBe('Failed');
  });

  test('a receiver that does not answer is a failed attempt, not a failed call', async ({
    receiver,
  }) => {
    receiver.answerWith(() => undefined);
    expect(await fire()).toMatchObject({
      status: 200,
      payload: {
        succeeded: false,
        httpStatus: null,
        errorSummary: expect.stringMatching(/^timeout/),
      },
    });
  });

  test('the guardrail judges a sample as it does every event', async () => {
    await gateway.sql`update webhook_subscriptions set url = 'https://127.0.0.1:1/' where id = ${id}`;
    expect(await fire()).toMatchObject({
      status: 200,
      payload: { succeeded: false, errorSummary: expect.stringMatching(/^destination_blocked/) },
    });
  });

  test('after a rotation a sample is signed by the new secret, and the old one verifies nothing', async ({
    receiver,
  }) => {
    const rotated = textOf(await fixture.send('POST', `/${id}/rotate-secret`), 'secret');
    const [request] = requestsOf(receiver, textOf(await fire(), 'idempotencyKey'));
    if (request === undefined) throw new Error('nothing arrived');
    expect(() => new Webhook(rotated).verify(request.body, signatureOf(request))).not.toThrow();
    expect(() => new Webhook(secret).verify(request.body, signatureOf(request))).toThrow();
  });
});

/** The one sample of the vendor's that is stored. */
async function storedSample({ sql }: TestGateway): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    select id from webhook_deliveries where vendor_id = ${fixture.vendor.vendorId} and is_test`;
  return row?.id ?? '';
}

test('without a worker it is 504, and a worker that comes up then sends nothing', async ({
  receiver,
}) => {
  const gateway = await newGateway(receiver);
  try {
    await subscribeReceiver(receiver, gateway, firesOver(gateway, gateway.client));
    const before = receiver.requests.length;
    expect(await fire()).toMatchObject(refusal('GATEWAY_TIMEOUT'));
    const deliveryId = await storedSample(gateway);
    expect(await storedDelivery(gateway.sql, deliveryId)).toMatchObject({
      state: 'cancelled',
      told: [],
    });
    await gateway.startWorker();
    const handle = gateway.client.workflow.getHandle(webhookDeliveryId(deliveryId));
    expect(await handle.result()).toBe('cancelled');
    expect(receiver.requests).toHaveLength(before);
    expect(await listed()).toEqual([]);
  } finally {
    await gateway.stop();
  }
});

test('without Temporal it is 503, and the sample is ended', async ({ receiver }) => {
  const gateway = await newGateway(receiver);
  const connection = Connection.lazy({ address: '127.0.0.1:1' });
  try {
    await subscribeReceiver(receiver, gateway, firesOver(gateway, new Client({ connection })));
    const answer = await fire();
    expect(answer).toMatchObject(refusal('SERVICE_UNAVAILABLE'));
    expect(answer.headers['retry-after']).toBe('5');
    const deliveryId = await storedSample(gateway);
    expect(await storedDelivery(gateway.sql, deliveryId)).toMatchObject({
      state: 'cancelled',
      told: [],
    });
  } finally {
    await connection.close();
    await gateway.stop();
  }
});

test('a run that an operator terminates is 504, and its sample is not sent', async ({
  receiver,
}) => {
  const gateway = await newGateway(receiver);
  try {
    await subscribeReceiver(receiver, gateway, firesOver(gateway, gateway.client));
    const fired = fire();
    await expect.poll(() => storedSample(gateway), { timeout: 10_000, interval: 10 }).not.toBe('');
    const deliveryId = await storedSample(gateway);
    const handle = gateway.client.workflow.getHandle(webhookDeliveryId(deliveryId));
    await expect
      .poll(
        () =>
          handle.terminate().then(
            () => true,
            () => false,
          ),
        { timeout: 10_000, interval: 20 },
      )
      .toBe(true);
    expect(await fired).toMatchObject(refusal('GATEWAY_TIMEOUT'));
    expect(await storedDelivery(gateway.sql, deliveryId)).toMatchObject({
      state: 'cancelled',
      told: [],
    });
  } finally {
    await gateway.stop();
  }
});

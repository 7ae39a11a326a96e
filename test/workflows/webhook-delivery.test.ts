import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { emitEvent } from '../../db/events.ts';
import { listDeliveries, type WebhookDelivery } from '../../db/webhook-deliveries.ts';
import { listAttempts } from '../../db/webhook-attempts.ts';
import { findSubscription } from '../../db/webhook-subscriptions.ts';
import { eventBody } from '../../domain/events.ts';
import { webhookDeliveryId } from '../../workflows/ids.ts';
import { createTestGateway, type TestGateway } from '../support/gateway.ts';
import { readableHistory, recordHistory } from '../support/history.ts';
import { startTestReceiver, type TestReceiver } from '../support/receiver.ts';
import { seedSubscription, seedVendor } from '../support/seed.ts';

let receiver: TestReceiver;
let gateway: TestGateway;
let vendorId: string;
let subscription: { readonly id: string; readonly secret: string };

beforeAll(async () => {
  receiver = await startTestReceiver();
  gateway = await createTestGateway({
    WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
    WEBHOOK_RETRY_DELAYS_MS: '50,50,50',
    WEBHOOK_TIMEOUT_MS: '2000',
  });
  await gateway.startWorker();
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
});
beforeEach(async () => {
  vendorId = await seedVendor(gateway.sql);
  const { SECRETS_KEY } = gateway.config;
  subscription = await seedSubscription(gateway.sql, vendorId, receiver.url, SECRETS_KEY);
});
afterEach(() => {
  receiver.answerWith((response) => {
    response.end();
  });
});

/** An event as a decision writes it; answers its id. */
async function emit(): Promise<string> {
  const id = `evt_${uuidv7()}`;
  const eventType = 'vendor.offer.review-decision';
  const occurredAt = new Date();
  const body = eventBody({
    eventId: id,
    eventType,
    occurredAt: occurredAt.toISOString(),
    vendorId,
    test: false,
    data: { offerId: uuidv7(), reason: 'für alle Fälle ✓' },
  });
  await gateway.sql.begin((transaction) =>
    emitEvent(transaction, { id, vendorId, eventType, body, occurredAt }),
  );
  return id;
}

const requestsOf = (eventId: string) =>
  receiver.requests.filter(({ headers }) => headers['webhook-id'] === eventId);

/** The vendor's one delivery, once its run has ended. */
async function untilEnded(): Promise<WebhookDelivery> {
  const filter = { state: null, vendorId, eventType: null };
  const { items } = await listDeliveries(gateway.sql, filter, { page: 1, pageSize: 10 });
  const [delivery] = items;
  if (delivery === undefined) throw new Error('no delivery');
  const handle = gateway.client.workflow.getHandle(webhookDeliveryId(delivery.id));
  // The relay starts the run a moment after the commit.
  await vi.waitFor(() => handle.describe(), { timeout: 20_000, interval: 20 });
  const state: unknown = await handle.result();
  const after = await listDeliveries(gateway.sql, filter, { page: 1, pageSize: 10 });
  expect(after.items[0]?.state).toBe(state);
  return { ...delivery, state: after.items[0]?.state ?? delivery.state };
}

/** Newest first. */
const attempts = async () =>
  (await listAttempts(gateway.sql, subscription.id, { page: 1, pageSize: 50 })).items;

describe('a delivery', () => {
  test('arrives at once, signed so that the Standard Webhooks library accepts it', async () => {
    const eventId = await emit();
    const delivery = await untilEnded();

    expect(delivery.state).toBe('succeeded');
    const [request, ...more] = requestsOf(eventId);
    expect(more).toEqual([]);
    const headers = Object.fromEntries(
      Object.entries(request?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'user-agent': expect.stringMatching(/^vendor-gateway\/\d/),
    });
    const body = request?.body ?? '';
    expect(new Webhook(subscription.secret).verify(body, headers)).toMatchObject({ eventId, vendorId });
    expect(() => new Webhook(subscription.secret).verify(`${body} `, headers)).toThrow(/signature/);
    expect(await attempts()).toMatchObject([
      {
        eventId,
        attemptNumber: 1,
        succeeded: true,
        httpStatus: 200,
        errorSummary: null,
        deadLetteredAt: null,
      },
    ]);
    expect(await findSubscription(gateway.sql, vendorId, subscription.id)).toMatchObject({
      lastDeliveryStatus: 'Success',
    });
    await recordHistory(gateway.client, webhookDeliveryId(delivery.id), 'webhook-delivery-at-once');
  });

  test('is tried again until it succeeds, with the same id and body and a signature of its own', async () => {
    let failures = 2;
    receiver.answerWith((response) => {
      response.statusCode = failures-- > 0 ? 503 : 204;
      response.end();
    });
    const eventId = await emit();
    const delivery = await untilEnded();

    expect(delivery.state).toBe('succeeded');
    const requests = requestsOf(eventId);
    expect(requests).toHaveLength(3);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    expect(
      (await attempts()).map((attempt) => [attempt.attemptNumber, attempt.httpStatus, attempt.errorSummary]),
    ).toEqual([
      [3, 204, null],
      [2, 503, expect.stringMatching(/^http_status/)],
      [1, 503, expect.stringMatching(/^http_status/)],
    ]);
    await recordHistory(gateway.client, webhookDeliveryId(delivery.id), 'webhook-delivery-retried');
  });

  test('is never tried again before the instant that the attempt names', async () => {
    let failures = 3;
    receiver.answerWith((response) => {
      response.statusCode = failures-- > 0 ? 500 : 200;
      response.end();
    });
    const eventId = await emit();
    await untilEnded();

    const arrivals = requestsOf(eventId).map(({ arrivedAt }) => arrivedAt);
    const due = (await attempts()).toReversed().map(({ nextAttemptAt }) => nextAttemptAt.getTime());
    expect(arrivals).toHaveLength(4);
    for (const [index, arrival] of arrivals.slice(1).entries()) {
      // One millisecond for the rounding of instants to whole ones.
      expect(arrival).toBeGreaterThanOrEqual((due[index] ?? Infinity) - 1);
    }
  });

  test('is dead-lettered after the last attempt', async () => {
    receiver.answerWith((response) => {
      response.statusCode = 500;
      response.end();
    });
    await emit();
    const delivery = await untilEnded();

    expect(delivery.state).toBe('deadLettered');
    const [last, ...earlier] = await attempts();
    expect(last).toMatchObject({ attemptNumber: 4, succeeded: false, deadLetteredAt: expect.any(Date) });
    expect(last?.nextAttemptAt).toEqual(last?.sentAt);
    expect(earlier.map(({ deadLetteredAt }) => deadLetteredAt)).toEqual([null, null, null]);
    expect(await findSubscription(gateway.sql, vendorId, subscription.id)).toMatchObject({
      lastDeliveryStatus: 'DeadLettered',
      isActive: true,
    });
    await recordHistory(gateway.client, webhookDeliveryId(delivery.id), 'webhook-delivery-dead-lettered');
  });

  test('to a receiver that is gone (410) ends at once, and the subscription with it', async () => {
    receiver.answerWith((response) => {
      response.statusCode = 410;
      response.end();
    });
    await emit();
    const delivery = await untilEnded();

    expect(delivery.state).toBe('deadLettered');
    expect(await attempts()).toHaveLength(1);
    expect(await findSubscription(gateway.sql, vendorId, subscription.id)).toMatchObject({ isActive: false });
    await recordHistory(gateway.client, webhookDeliveryId(delivery.id), 'webhook-delivery-gone');
  });

  test('to a subscription that became inactive meanwhile is ended without a request', async () => {
    receiver.answerWith((response) => {
      const deactivated = gateway.sql`
        update webhook_subscriptions set is_active = false where id = ${subscription.id}`;
      void deactivated.then(() => response.writeHead(500).end());
    });
    const eventId = await emit();
    const delivery = await untilEnded();

    expect(delivery.state).toBe('cancelled');
    expect(requestsOf(eventId)).toHaveLength(1);
    expect((await attempts())[0]).toMatchObject({
      attemptNumber: 2,
      succeeded: false,
      sentAt: null,
      errorSummary: 'subscription_inactive',
    });
    await recordHistory(gateway.client, webhookDeliveryId(delivery.id), 'webhook-delivery-inactive');
  });

  test('that waits longer at the receiver’s wish says so in its nextAttemptAt', async () => {
    receiver.answerWith((response, number) => {
      response.statusCode = 429;
      response.setHeader('retry-after', '600');
      response.end(String(number));
    });
    await emit();
    await vi.waitFor(async () => expect((await attempts())[0]?.succeeded).toBe(false), { timeout: 20_000 });

    const [attempt] = await attempts();
    const waitMs = (attempt?.nextAttemptAt.getTime() ?? 0) - (attempt?.sentAt?.getTime() ?? 0);
    expect(waitMs).toBeGreaterThanOrEqual(600_000);
    expect(waitMs).toBeLessThan(660_000);
  });

  test('leaves no secret, no body and no URL in its history', async () => {
    await emit();
    const delivery = await untilEnded();

    const history = await readableHistory(gateway.client, webhookDeliveryId(delivery.id));

    expect(history).toContain(delivery.id);
    expect(history).not.toContain(subscription.secret);
    expect(history).not.toContain(subscription.secret.slice('whsec_'.length));
    expect(history).not.toContain('für alle Fälle');
    expect(history).not.toContain(receiver.origin);
  });
});

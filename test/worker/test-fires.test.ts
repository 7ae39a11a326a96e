import { Webhook } from 'standardwebhooks';
import { expect, vi } from 'vitest';
import { createTestFires } from '../../api/webhooks/test-fires.ts';
import { findDelivery } from '../../db/webhooks/webhook-deliveries.ts';
import type { EventType } from '../../domain/webhooks/events.ts';
import { checkUrl } from '../../guardrail/url.ts';
import { createSealer } from '../../security/sealer.ts';
import { webhookDeliveryBatchId } from '../../workflows/ids.ts';
import { newWebhookFixture, storedDelivery } from '../api/webhooks/webhook-fixture.ts';
import { gatewayOver, itemsOf, refusal, textOf } from '../support/api/api.ts';
import { restartTest } from '../support/gateway/workflow-test.ts';
import { status } from '../support/webhooks/receiver.ts';

// A sample from the vendor's call to its receiver and back: the API, a worker, a real receiver.

const eventType: EventType = 'vendor.order.assigned';
const timeoutMs = 1000;

const test = restartTest
  .extend('settings', { scope: 'file' }, ({ receiver }) => ({
    WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
    WEBHOOK_TIMEOUT_MS: String(timeoutMs),
  }))
  /** How much longer than an attempt a call waits. */
  .extend('overheadMs', (): number | undefined => undefined)
  /** The API with a vendor that has subscribed the receiver. */
  .extend('vendor', async ({ gateway: { sql, config }, receiver, overheadMs }) => {
    receiver.answerWith(status(200));
    const api = await gatewayOver(sql, {
      testFires: createTestFires(sql, timeoutMs, overheadMs),
      sealer: createSealer(config.SECRETS_KEY),
      checkDestination: async (url) =>
        checkUrl(url, { allowedPorts: [443], allowedOrigins: [receiver.origin] }),
    });
    const { send, vendor } = await newWebhookFixture({ ...api, close: () => api.app.close() });
    const made = await send('POST', '', { url: receiver.url, eventTypes: [eventType] });
    const { id } = (made.payload as { subscription: { id: string } }).subscription;
    const sent = receiver.requests.length;
    return {
      vendorId: vendor.vendorId,
      secret: textOf(made, 'secret'),
      fire: () => send('POST', `/${id}/test-fire`, { eventType }),
      listed: async () => itemsOf(await send('GET', `/${id}/deliveries`)),
      lastStatus: async () => (await send('GET', `/${id}`)).payload?.['lastDeliveryStatus'],
      requests: () => receiver.requests.slice(sent),
      /** The one sample that is stored. */
      sample: async (): Promise<string> => {
        const [row] = await sql<{ id: string }[]>`
          select id from webhook_deliveries where vendor_id = ${vendor.vendorId} and is_test`;
        return row?.id ?? '';
      },
    };
  });

const impatientTest = test.extend('overheadMs', () => 1000);

test('sends a signed sample once, and returns its result', async ({
  gateway,
  vendor,
  receiver,
}) => {
  await gateway.startWorker();
  for (const [httpStatus, succeeded, lastStatus] of [
    [200, true, 'Success'],
    [503, false, 'Failed'],
  ] as const) {
    receiver.answerWith(status(httpStatus));
    const answer = await vendor.fire();
    const payload = { attemptNumber: 1, httpStatus, succeeded, deadLetteredAt: null };
    expect(answer).toMatchObject({ status: 200, payload });
    expect(answer.payload?.['nextAttemptAt']).toBe(answer.payload?.['sentAt']);
    const eventId = textOf(answer, 'idempotencyKey');
    const requests = vendor.requests().filter(({ headers }) => headers['webhook-id'] === eventId);
    expect(requests).toHaveLength(1);
    const [{ body, headers } = expect.unreachable()] = requests;
    const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    const { vendorId } = vendor;
    const verified = new Webhook(vendor.secret).verify(body, Object.fromEntries(texts));
    expect(verified).toMatchObject({ eventId, eventType, test: true, vendorId });
    expect((await vendor.listed())[0]).toEqual(answer.payload);
    expect(await vendor.lastStatus()).toBe(lastStatus);
  }
});

impatientTest(
  'sends nothing after a 504',
  async ({ gateway, vendor }) => {
    expect(await vendor.fire()).toMatchObject(refusal('GATEWAY_TIMEOUT'));
    const deliveryId = await vendor.sample();
    const stored = () => storedDelivery(gateway.sql, deliveryId);
    const ended = { state: 'cancelled', attemptTexts: [] };
    expect(await stored()).toMatchObject(ended);
    await gateway.startWorker();
    const handedOver = { ...ended, signals: [] };
    await vi.waitFor(async () => expect(await stored()).toMatchObject(handedOver), {
      timeout: 20_000,
    });
    expect(vendor.requests()).toEqual([]);
    expect(await vendor.listed()).toEqual([]);
  },
  90_000,
);

impatientTest(
  'sends no sample after 90 s',
  async ({ gateway, vendor }) => {
    // The API stores the sample and dies: nothing cancels it.
    await vendor.fire();
    const deliveryId = await vendor.sample();
    await gateway.sql`
    update webhook_deliveries set state = 'waiting', created_at = now() - interval '91 seconds'
    where id = ${deliveryId}`;
    await gateway.startWorker();
    const batchRun = async (): Promise<string> => {
      const { batchId = null } = (await findDelivery(gateway.sql, deliveryId)) ?? {};
      if (batchId === null) throw new Error('the sample is in no batch');
      const run = gateway.client.workflow.getHandle(webhookDeliveryBatchId(batchId));
      return (await run.describe()).status.name;
    };
    // The run of its batch finds nothing to make.
    await expect.poll(batchRun, { timeout: 30_000, interval: 50 }).toBe('COMPLETED');
    expect((await storedDelivery(gateway.sql, deliveryId)).attemptTexts).toEqual([]);
    expect(vendor.requests()).toEqual([]);
  },
  90_000,
);

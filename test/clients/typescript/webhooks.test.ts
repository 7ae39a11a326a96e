import { expect, expectTypeOf, test as base, vi } from 'vitest';
import { createVendorClient } from '../../../clients/typescript/src/client.ts';
import {
  createWebhookReceiver,
  rememberHandledEvents,
  verifyWebhook,
  WebhookVerificationError,
  type VendorEvent,
} from '../../../clients/typescript/src/webhooks/index.ts';
import { createTestFires } from '../../../api/webhooks/test-fires.ts';
import { checkUrl } from '../../../guardrail/url.ts';
import { createSealer } from '../../../security/sealer.ts';
import { newWebhookSecret, signatureHeaders } from '../../../security/webhook-signature.ts';
import { newOrderFixture } from '../../api/orders/order-fixture.ts';
import { newVendor } from '../../support/api/actors.ts';
import { gatewayOver } from '../../support/api/api.ts';
import { createTestGateway } from '../../support/gateway/gateway.ts';
import { startTestReceiver } from '../../support/webhooks/receiver.ts';

const secret = newWebhookSecret();
const eventId = 'evt_01a1fe91-fe21-7255-9c2c-17ea510e74e2';
const eventOf = (eventType: string, data: unknown = {}): string =>
  JSON.stringify({ eventId, eventType, apiVersion: 'v1', data });
const signed = (body: string, sentAt = new Date(), by = secret) =>
  [body, signatureHeaders(by, eventId, sentAt, body)] as const;
const assigned = signed(eventOf('vendor.order.assigned', { groupId: 'group-1' }));

/** A gateway with a worker, a receiver of a vendor and its client. */
const test = base
  .extend('receiver', { scope: 'file' }, async ({}, { onCleanup }) => {
    const receiver = await startTestReceiver();
    onCleanup(() => receiver.close());
    return receiver;
  })
  .extend('run', { scope: 'file' }, async ({ receiver }, { onCleanup }) => {
    const allowedOrigins = [receiver.origin];
    const gateway = await createTestGateway({ WEBHOOK_ALLOWED_ORIGINS: receiver.origin });
    const { sql, config } = gateway;
    const api = await gatewayOver(sql, {
      testFires: createTestFires(sql, config.WEBHOOK_TIMEOUT_MS),
      sealer: createSealer(config.SECRETS_KEY),
      checkDestination: async (url) => checkUrl(url, { allowedPorts: [443], allowedOrigins }),
    });
    onCleanup(async () => {
      await api.app.close();
      await gateway.stop();
    });
    const baseUrl = await api.app.listen({ host: '127.0.0.1', port: 0 });
    await gateway.startWorker();
    const vendor = await newVendor(api);
    const client = createVendorClient({ ...vendor, baseUrl });
    return { api: { ...api, close: () => api.app.close() }, vendor, client };
  });

test('verifies samples and events', async ({ receiver, run: { api, vendor, client } }) => {
  const { subscription, secret } = await client.webhooks.create({
    url: receiver.url,
    eventTypes: ['vendor.order.assigned', 'vendor.offer.review-decision'],
  });
  const attempt = await client.webhooks.testFire(subscription.id, {
    eventType: 'vendor.offer.review-decision',
  });
  expect(attempt).toMatchObject({ succeeded: true });
  const orders = await newOrderFixture(api);
  const groupId = await orders.groupIn('Pending', vendor);
  await vi.waitFor(() => expect(receiver.requests).toHaveLength(2), 30_000);

  const [sample, event] = receiver.requests.map(({ body, headers }) =>
    verifyWebhook(secret, body, headers),
  );
  if (sample?.eventType !== 'vendor.offer.review-decision') throw new Error('another type');
  // A later version may add decisions.
  expectTypeOf(sample.data.decision).toEqualTypeOf<string>();
  expect(sample).toMatchObject({ eventId: attempt.idempotencyKey, test: true });
  if (event?.eventType !== 'vendor.order.assigned') throw new Error('another type');
  expect(event).toMatchObject({ test: false, vendorId: vendor.vendorId, data: { groupId } });
  expect(event.data.lines[0]).toEqual({
    lineId: expect.any(String),
    variantId: orders.variantId,
    sku: expect.any(String),
    quantity: 1,
  });

  const { body, headers } = receiver.requests[1] ?? { body: '', headers: {} };
  const forged = body.replace(groupId, groupId.replaceAll(/\w/g, '0'));
  expect(() => verifyWebhook(secret, forged, headers)).toThrow(WebhookVerificationError);
});

test.each([
  ['another secret', signed(assigned[0], new Date(), newWebhookSecret())],
  ['a changed body', [assigned[0].replace('group-1', 'group-2'), assigned[1]] as const],
  ['a time five minutes off', signed(assigned[0], new Date(Date.now() - 301_000))],
  ['no signature', [assigned[0], {}] as const],
])('a request with %s is refused and not handled', async (_name, [body, headers]) => {
  const handle = vi.fn<() => void>();
  const receiver = createWebhookReceiver({ secret, handle });
  await expect(receiver.receive(body, headers)).rejects.toThrow(WebhookVerificationError);
  await expect(receiver.receive(body, new Headers(headers))).rejects.toThrow(
    WebhookVerificationError,
  );
  expect(handle).not.toHaveBeenCalled();
});

test.for([['v1'], ['v1,'], ['v1,***'], ['v1,é'], [','], ['v2,abc'], ['v1,abc,def']])(
  "the malformed signature '%s' is refused as another signature is",
  ([signature]) => {
    const [body, headers] = assigned;
    const sent = { ...headers, 'webhook-signature': signature };
    expect(() => verifyWebhook(secret, body, sent)).toThrow(WebhookVerificationError);
  },
);

test('a body that was parsed already is refused with what to pass', async () => {
  const [body, headers] = assigned;
  const receiver = createWebhookReceiver({ secret, handle: () => {} });
  for (const parsed of [JSON.parse(body), null, undefined, 7]) {
    const received = receiver.receive(parsed as string, headers);
    await expect(received).rejects.toThrow(WebhookVerificationError);
    await expect(received).rejects.toThrow('pass the raw body');
  }
});

test.for(['', 'null', '7', 'not JSON'])(
  "a signed body that is no event, such as '%s', is refused",
  (text) => {
    expect(() => verifyWebhook(secret, ...signed(text))).toThrow(WebhookVerificationError);
  },
);

test('a body that is not UTF-8 is refused', () => {
  const [body, headers] = signed(eventOf('vendor.order.assigned', { note: '\uFFFD' }));
  const [before = '', after = ''] = body.split('\uFFFD');
  const changed = Buffer.concat([Buffer.from(before), Buffer.of(0xff), Buffer.from(after)]);
  expect(() => verifyWebhook(secret, changed, headers)).toThrow(WebhookVerificationError);
});

test('an event of an unknown type passes as unknown, with its type and data', () => {
  const [body, headers] = signed(eventOf('vendor.return.due', { id: 'return-1' }));
  const event: VendorEvent = verifyWebhook(secret, new TextEncoder().encode(body), headers);
  if (event.eventType !== 'unknown') throw new Error(event.eventType);
  expect(event).toMatchObject({ receivedType: 'vendor.return.due', data: { id: 'return-1' } });
});

test('an event is handled once, also when two requests bring it at one time', async () => {
  const handle = vi.fn<() => void>();
  const receiver = createWebhookReceiver({ secret, handle });
  const both = [receiver.receive(...assigned), receiver.receive(...assigned)];
  expect(await Promise.all(both)).toEqual(['handled', 'repeated']);
  expect(await receiver.receive(...assigned)).toBe('repeated');
  expect(handle).toHaveBeenCalledOnce();
});

test('an event whose handler failed is handled when it comes again', async () => {
  const handle = vi.fn<() => Promise<void>>();
  handle.mockRejectedValueOnce(new Error('away'));
  const receiver = createWebhookReceiver({ secret, handle });
  const both = [receiver.receive(...assigned), receiver.receive(...assigned)];
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ]);
  expect(await receiver.receive(...assigned)).toBe('handled');
});

test('the ids in memory have a bound, the oldest goes first', async () => {
  const handled = rememberHandledEvents(2);
  for (const id of ['1', '2', '3']) await handled.add(id);
  expect(['1', '2', '3'].map((id) => handled.has(id))).toEqual([false, true, true]);
});

import { expect, expectTypeOf, vi } from 'vitest';
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
import { workflowTest } from '../../support/gateway/workflow-test.ts';

const secret = newWebhookSecret();
const eventId = 'evt_01a1fe91-fe21-7255-9c2c-17ea510e74e2';
const eventOf = (eventType: string, data: unknown = {}): string =>
  JSON.stringify({ eventId, eventType, apiVersion: 'v1', data });
const signed = (body: string, sentAt = new Date(), by = secret) =>
  [body, signatureHeaders(by, eventId, sentAt, body)] as const;
const assigned = signed(eventOf('vendor.order.assigned', { groupId: 'group-1' }));

/** The API of a gateway with a worker, and a vendor with its client. */
const test = workflowTest
  .extend('settings', { scope: 'file' }, ({ receiver }) => ({
    WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
  }))
  .extend(
    'run',
    { scope: 'file' },
    async ({ gateway: { sql, config }, receiver }, { onCleanup }) => {
      const allowedOrigins = [receiver.origin];
      const api = await gatewayOver(sql, {
        testFires: createTestFires(sql, config.WEBHOOK_TIMEOUT_MS),
        sealer: createSealer(config.SECRETS_KEY),
        checkDestination: async (url) => checkUrl(url, { allowedPorts: [443], allowedOrigins }),
      });
      onCleanup(() => api.app.close());
      const baseUrl = await api.app.listen({ host: '127.0.0.1', port: 0 });
      const vendor = await newVendor(api);
      const client = createVendorClient({ ...vendor, baseUrl });
      return { api: { ...api, close: () => api.app.close() }, vendor, client };
    },
  );

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

const withSignature = (signature: string) =>
  [assigned[0], { ...assigned[1], 'webhook-signature': signature }] as const;
const withByte = (): readonly [Uint8Array, Readonly<Record<string, string>>] => {
  const [body, headers] = signed(eventOf('vendor.order.assigned', { note: '\uFFFD' }));
  const [before = '', after = ''] = body.split('\uFFFD');
  return [Buffer.concat([Buffer.from(before), Buffer.of(0xff), Buffer.from(after)]), headers];
};

test.for([
  ...['v1', 'v1,', 'v1,***', 'v1,é', ',', 'v2,abc', 'v1,abc,def'].map(
    (signature) => [`the malformed signature '${signature}'`, withSignature(signature)] as const,
  ),
  ...['', 'null', '7', 'not JSON'].map(
    (text) => [`the signed body '${text}', which is no event,`, signed(text)] as const,
  ),
  ['a body that is not UTF-8', withByte()],
] as const)('%s is refused', ([_name, [body, headers]]) => {
  expect(() => verifyWebhook(secret, body, headers)).toThrow(WebhookVerificationError);
});

test('a body that was parsed already is refused with what to pass', async () => {
  const [body, headers] = assigned;
  const receiver = createWebhookReceiver({ secret, handle: () => {} });
  for (const parsed of [JSON.parse(body), null, undefined, 7]) {
    const received = receiver.receive(parsed as string, headers);
    await expect(received).rejects.toThrow(WebhookVerificationError);
    await expect(received).rejects.toThrow('pass the raw body');
  }
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

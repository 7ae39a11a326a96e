import { expect, expectTypeOf, test, vi } from 'vitest';
import {
  createWebhookReceiver,
  rememberHandledEvents,
  verifyWebhook,
  WebhookVerificationError,
  type VendorEvent,
} from '../../../clients/typescript/src/webhooks/index.ts';
import { newWebhookSecret, signatureHeaders } from '../../../security/webhook-signature.ts';

const secret = newWebhookSecret();
const eventId = 'evt_01a1fe91-fe21-7255-9c2c-17ea510e74e2';
const eventOf = (eventType: string, data: unknown = {}): string =>
  JSON.stringify({ eventId, eventType, apiVersion: 'v1', data });
const signed = (body: string, sentAt = new Date(), by = secret) =>
  [body, signatureHeaders(by, eventId, sentAt, body)] as const;
const assigned = signed(eventOf('vendor.order.assigned', { groupId: 'group-1' }));

test('types a verified event and its data', () => {
  const [body, headers] = assigned;
  // A framework has a class of its own for headers.
  for (const given of [headers, new Headers(headers), new Map(Object.entries(headers))]) {
    const event = verifyWebhook(secret, body, given);
    if (event.eventType !== 'vendor.order.assigned') throw new Error(event.eventType);
    expectTypeOf(event.data.groupId).toEqualTypeOf<string>();
    expect(event).toMatchObject({ eventId, data: { groupId: 'group-1' } });
  }
});

const withSignature = (signature: string) =>
  [assigned[0], { ...assigned[1], 'webhook-signature': signature }] as const;
const withByte = (): readonly [Uint8Array, Readonly<Record<string, string>>] => {
  const [body, headers] = signed(eventOf('vendor.order.assigned', { note: '\uFFFD' }));
  const [before = '', after = ''] = body.split('\uFFFD');
  return [Buffer.concat([Buffer.from(before), Buffer.of(0xff), Buffer.from(after)]), headers];
};

test.for([
  ['another secret', signed(assigned[0], new Date(), newWebhookSecret())],
  ['a changed body', [assigned[0].replace('group-1', 'group-2'), assigned[1]]],
  ['a time five minutes off', signed(assigned[0], new Date(Date.now() - 301_000))],
  ['no signature', [assigned[0], {}]],
  ...['v1', 'v1,', 'v1,***', 'v1,é', ',', 'v2,abc', 'v1,abc,def'].map(
    (signature) => [`the malformed signature '${signature}'`, withSignature(signature)] as const,
  ),
  ...['', 'null', '7', 'not JSON'].map(
    (text) => [`the signed body '${text}', which is no event`, signed(text)] as const,
  ),
  ['a body that is not UTF-8', withByte()],
] as const)('refuses %s, and handles nothing', async ([_name, [body, headers]]) => {
  const handle = vi.fn<() => void>();
  const receiver = createWebhookReceiver({ secret, handle });
  await expect(receiver.receive(body, headers)).rejects.toThrow(WebhookVerificationError);
  expect(handle).not.toHaveBeenCalled();
});

test.for(['', 'whsec_', `${secret}\n`])('refuses the secret %j before a request', (text) => {
  expect(() => createWebhookReceiver({ secret: text, handle: () => {} })).toThrow(Error);
});

test('refuses a body that is already parsed, and says what to pass', async () => {
  const [body, headers] = assigned;
  const receiver = createWebhookReceiver({ secret, handle: () => {} });
  for (const parsed of [JSON.parse(body), null, undefined, 7]) {
    const received = receiver.receive(parsed as string, headers);
    await expect(received).rejects.toThrow(WebhookVerificationError);
    await expect(received).rejects.toThrow('pass the raw body');
  }
});

test('passes on an event of an unknown type, with its type and data', () => {
  const [body, headers] = signed(eventOf('vendor.return.due', { id: 'return-1' }));
  const event: VendorEvent = verifyWebhook(secret, new TextEncoder().encode(body), headers);
  if (event.eventType !== 'unknown') throw new Error(event.eventType);
  expect(event).toMatchObject({ receivedType: 'vendor.return.due', data: { id: 'return-1' } });
});

test('handles an event once, also when two requests bring it at the same time', async () => {
  const handle = vi.fn<() => void>();
  const receiver = createWebhookReceiver({ secret, handle });
  const both = [receiver.receive(...assigned), receiver.receive(...assigned)];
  expect(await Promise.all(both)).toEqual(['handled', 'repeated']);
  expect(await receiver.receive(...assigned)).toBe('repeated');
  expect(handle).toHaveBeenCalledOnce();
});

test('handles an event again after its handler failed', async () => {
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

test('limits the ids in memory, and forgets the oldest first', async () => {
  const handled = rememberHandledEvents(2);
  for (const id of ['1', '2', '3']) await handled.add(id);
  expect(['1', '2', '3'].map((id) => handled.has(id))).toEqual([false, true, true]);
});

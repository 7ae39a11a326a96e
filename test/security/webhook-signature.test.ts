import { createHmac } from 'node:crypto';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { newWebhookSecret, signatureHeaders } from '../../security/webhook-signature.ts';

const secret = newWebhookSecret();
const eventId = 'evt_0192f0c8-7a6b-7c3d-8e4f-5a6b7c8d9e0f';
const body = '{"eventId":"evt_1","data":{"reason":"nicht schön 😀","quantity":1.50}}';

const signed = (at = new Date()) => signatureHeaders(secret, eventId, at, body);
const verify = (text: string, headers: Record<string, string>, key = secret) =>
  new Webhook(key).verify(text, headers);

test('a secret is whsec_ and 32 random bytes in base64', () => {
  expect(secret).toMatch(/^whsec_[A-Za-z\d+/]{43}=$/);
  expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
  expect(newWebhookSecret()).not.toBe(secret);
});

test('the standardwebhooks library verifies the signature and parses the body', () => {
  expect(verify(body, signed())).toEqual(JSON.parse(body));
});

test('the signature is base64 of HMAC-SHA256 over id.timestamp.body by the decoded secret', () => {
  const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
  const known = `whsec_${key.toString('base64')}`;
  const headers = signatureHeaders(known, 'evt_1', new Date('2026-01-02T03:04:05.999Z'), '{"a":1}');
  const mac = createHmac('sha256', key)
    .update(Buffer.from('evt_1.1767323045.{"a":1}', 'utf8'))
    .digest('base64');
  expect(headers).toEqual({
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1767323045',
    'webhook-signature': `v1,${mac}`,
  });
});

test('the signature equals the test vector of the Standard Webhooks libraries', () => {
  const headers = signatureHeaders(
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    new Date(1_614_265_330_000),
    '{"test": 2432232314}',
  );
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('attempts have different timestamps and signatures, and the same id', () => {
  const first = signed(new Date(1_767_323_045_000));
  const second = signed(new Date(1_767_323_046_000));
  expect(second['webhook-id']).toBe(first['webhook-id']);
  expect(second['webhook-timestamp']).toBe('1767323046');
  expect(second['webhook-signature']).not.toBe(first['webhook-signature']);
});

test('there is exactly one signature', () => {
  expect(signed()['webhook-signature']).toMatch(/^v1,[A-Za-z\d+/]{43}=$/);
});

const bumped = (headers: Record<string, string>) =>
  String(Number(headers['webhook-timestamp']) + 1);

test.each([
  ['body', (headers: Record<string, string>) => verify(body.replace('1.50', '1.5'), headers)],
  [
    'id',
    (headers: Record<string, string>) => verify(body, { ...headers, 'webhook-id': `${eventId}0` }),
  ],
  [
    'timestamp',
    (headers: Record<string, string>) =>
      verify(body, { ...headers, 'webhook-timestamp': bumped(headers) }),
  ],
  [
    'signature',
    (headers: Record<string, string>) =>
      verify(body, {
        ...headers,
        'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
      }),
  ],
  ['secret', (headers: Record<string, string>) => verify(body, headers, newWebhookSecret())],
])('another %s does not verify', (_what, attempt) => {
  expect(() => attempt(signed())).toThrow(WebhookVerificationError);
});

test('an attempt of ten minutes ago does not verify', () => {
  expect(() => verify(body, signed(new Date(Date.now() - 600_000)))).toThrow(
    WebhookVerificationError,
  );
});

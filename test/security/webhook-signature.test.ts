import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { newWebhookSecret, signatureHeaders } from '../../security/webhook-signature.ts';

const secret = newWebhookSecret();
const body = '{"eventId":"evt_1","data":{"reason":"nicht schön 😀","quantity":1.50}}';

test('makes a secret of whsec_ and 32 random bytes in base64', () => {
  expect(secret).toMatch(/^whsec_[A-Za-z\d+/]{43}=$/);
  expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
  expect(newWebhookSecret()).not.toBe(secret);
});

test('signs like the test vector of the Standard Webhooks libraries, in whole seconds', () => {
  const headers = signatureHeaders(
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    new Date(1_614_265_330_999),
    '{"test": 2432232314}',
  );
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('signs any text so that the library verifies it', () => {
  const headers = signatureHeaders(secret, 'evt_0192f0c8', new Date(), body);
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
});

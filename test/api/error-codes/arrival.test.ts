import { expect } from 'vitest';
import { createRateLimit } from '../../../api/auth/rate-limits.ts';
import { freeFormOffer, newVendor } from '../../support/api/actors.ts';
import { uuidV7 } from '../../support/api/matchers.ts';
import { ask, expectRefusal, parsedAnswer } from './http.ts';
import { appWith, rawAnswer } from './slow-app.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
/** 413, 415, 429 and 431: requests that cannot be read, or are too many. */

const offers = '/api/v1/scent/offers';
const seconds: unknown = expect.stringMatching(/^([1-9]|[1-5]\d|60)$/);
test('HEADERS_TOO_LARGE: 17 KiB of headers are refused, and the connection is closed', async ({
  gateway,
}) => {
  const request = `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(17 * 1024)}\r\n\r\n`;
  const answer = parsedAnswer(await rawAnswer(gateway, request));
  const message = 'The headers and the path may have at most 16384 bytes together.';
  // Before there is a request there is no id of the caller's.
  const ownId = { 'x-request-id': uuidV7 };
  expectRefusal(answer, 431, 'HEADERS_TOO_LARGE', { maximum: 16_384, message }, ownId);
  expect(answer.headers['connection']).toBe('close');
});

test('PAYLOAD_TOO_LARGE: a body of 1 MiB is read, and one byte more is refused', async ({
  gateway,
  token,
}) => {
  const maximum = 1_048_576;
  const body = JSON.stringify(freeFormOffer).padEnd(maximum);
  expect((await ask(gateway, 'POST', offers, { token, body })).status).toBe(201);
  const answer = await ask(gateway, 'POST', offers, { token, body: `${body} ` });
  const message = 'The body may have at most 1048576 bytes.';
  expectRefusal(answer, 413, 'PAYLOAD_TOO_LARGE', { maximum, message });
});

test('UNSUPPORTED_MEDIA_TYPE: JSON that is sent as text is refused', async ({ gateway, token }) => {
  const headers = { 'content-type': 'text/plain' };
  const answer = await ask(gateway, 'POST', offers, { token, body: '{}', headers });
  const details = { received: 'text/plain', allowedValues: ['application/json'] };
  expectRefusal(answer, 415, 'UNSUPPORTED_MEDIA_TYPE', details);
});

test('TOO_MANY_REQUESTS: the eleventh token call in a minute gets the seconds to wait', async ({
  gateway,
}) => {
  const { clientId, clientSecret } = await newVendor(gateway);
  const body = { clientId, clientSecret };
  for (let calls = 0; calls < 10; calls += 1) {
    expect((await ask(gateway, 'POST', '/api/v1/auth/token', { body })).status).toBe(200);
  }
  const answer = await ask(gateway, 'POST', '/api/v1/auth/token', { body });
  const message = 'The limit is 10 token calls of one client from one network in 60 seconds.';
  const details = { reason: 'TOKEN_CALLS', maximum: 10, message };
  expectRefusal(answer, 429, 'TOO_MANY_REQUESTS', details, { 'retry-after': seconds });
});

test('TOO_MANY_REQUESTS: above its rate a credential gets the limit and seconds to wait', async ({
  gateway,
}) => {
  const { vendorId, token } = await newVendor(gateway);
  const callsPerVendor = createRateLimit(600);
  const limited = await appWith({ ...gateway.dependencies, callsPerVendor }, {});
  callsPerVendor(vendorId, 599);
  expect((await ask(limited, 'GET', '/api/v1/webhooks', { token })).status).toBe(200);
  const answer = await ask(limited, 'GET', '/api/v1/webhooks', { token });
  const message = 'The limit is 600 calls of your account in 60 seconds.';
  const details = { reason: 'CALLS', maximum: 600, message };
  expectRefusal(answer, 429, 'TOO_MANY_REQUESTS', details, {
    'retry-after': seconds,
    'ratelimit-limit': '600',
    'ratelimit-remaining': '0',
    'ratelimit-reset': answer.headers['retry-after'],
  });
});

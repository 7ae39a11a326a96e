import { expect } from 'vitest';
import { createRateLimit } from '../../../api/auth/rate-limits.ts';
import { newVendor } from '../../support/api/actors.ts';
import { ask, expectRefusal, parsedAnswer } from './http.ts';
import { appWith, rawAnswer } from './slow-app.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
/** 408, 413, 415, 429 and 431: requests that cannot be read, or are too many. */

const test = gatewayTest.extend(
  'token',
  { scope: 'file' },
  async ({ gateway }) => (await newVendor(gateway)).token,
);

const offers = '/api/v1/scent/offers';
/** Before there is a request there is no id of the caller's. */
const ownId = {
  'x-request-id': expect.stringMatching(
    /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
  ),
};

test('REQUEST_TIMEOUT: slow headers or bodies are answered, and the connection closes', async ({
  gateway,
  token,
}) => {
  const slow = await appWith(gateway.dependencies, { requestTimeoutMs: 600 });
  const head = `POST ${offers} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n`;
  const withBody = `${head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{`;
  for (const unfinished of [head, withBody]) {
    const answer = parsedAnswer(await rawAnswer(slow, unfinished));
    expectRefusal(answer, 408, 'REQUEST_TIMEOUT', {}, ownId);
    expect(answer.headers['connection']).toBe('close');
  }
});

const headersLimit = {
  maximum: 16_384,
  message: 'The headers and the path may have at most 16384 bytes together.',
};

test('HEADERS_TOO_LARGE: 17 KiB of headers are refused, and the connection is closed', async ({
  gateway,
}) => {
  const filler = 'y'.repeat(17 * 1024);
  const answer = parsedAnswer(
    await rawAnswer(gateway, `GET / HTTP/1.1\r\nhost: x\r\nx: ${filler}\r\n\r\n`),
  );
  expectRefusal(answer, 431, 'HEADERS_TOO_LARGE', headersLimit, ownId);
  expect(answer.headers['connection']).toBe('close');
});

test('PAYLOAD_TOO_LARGE: a body of 1 MiB and one byte is refused', async ({ gateway, token }) => {
  const body = `"${'x'.repeat(1024 * 1024 - 1)}"`;
  const answer = await ask(gateway, 'POST', offers, { token, body });
  expectRefusal(answer, 413, 'PAYLOAD_TOO_LARGE', {
    maximum: 1_048_576,
    message: 'The body may have at most 1048576 bytes.',
  });
});

test('UNSUPPORTED_MEDIA_TYPE: JSON that is sent as text is refused', async ({ gateway, token }) => {
  const answer = await ask(gateway, 'POST', offers, {
    token,
    body: '{}',
    headers: { 'content-type': 'text/plain' },
  });
  expectRefusal(answer, 415, 'UNSUPPORTED_MEDIA_TYPE', {
    received: 'text/plain',
    allowedValues: ['application/json'],
  });
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
  const seconds = Number(answer.headers['retry-after']);
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
  expectRefusal(
    answer,
    429,
    'TOO_MANY_REQUESTS',
    {
      reason: 'TOKEN_CALLS',
      maximum: 10,
      message: 'The limit is 10 token calls of one client from one network in 60 seconds.',
    },
    { 'retry-after': expect.stringMatching(/^\d+$/) },
  );
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
  const wait = answer.headers['retry-after'];
  expectRefusal(
    answer,
    429,
    'TOO_MANY_REQUESTS',
    {
      reason: 'CALLS',
      maximum: 600,
      message: 'The limit is 600 calls of your account in 60 seconds.',
    },
    {
      'retry-after': expect.stringMatching(/^([1-9]|[1-5]\d|60)$/),
      'ratelimit-limit': '600',
      'ratelimit-remaining': '0',
      'ratelimit-reset': wait,
    },
  );
});

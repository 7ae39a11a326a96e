import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRateLimit } from '../../../api/auth/rate-limits.ts';
import { newVendor, tokenWith } from '../actors.ts';
import { call, refusal, startGateway, type Gateway } from '../support.ts';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway({ callsPerCredential: createRateLimit(3) });
});
afterAll(() => gateway.close());

const list = (token: string) => call(gateway, 'GET', '/api/v1/webhooks', { token });

test('every authenticated answer tells the limit, what is left and when it starts anew', async () => {
  const { token } = await newVendor(gateway);
  const remaining: unknown[] = [];
  for (let index = 0; index < 3; index += 1) {
    const answer = await list(token);
    expect(answer.status).toBe(200);
    expect(answer.headers['ratelimit-limit']).toBe('3');
    expect(Number(answer.headers['ratelimit-reset'])).toBeGreaterThanOrEqual(1);
    expect(Number(answer.headers['ratelimit-reset'])).toBeLessThanOrEqual(60);
    remaining.push(answer.headers['ratelimit-remaining']);
  }
  expect(remaining).toEqual(['2', '1', '0']);
});

test('the call above the limit is 429 with whole seconds to wait, and another credential is not held up', async () => {
  const { token } = await newVendor(gateway);
  for (let index = 0; index < 3; index += 1) await list(token);
  const answer = await list(token);
  expect(answer).toMatchObject(refusal('TOO_MANY_REQUESTS'));
  expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(answer.headers['ratelimit-remaining']).toBe('0');
  expect((await list((await newVendor(gateway)).token)).status).toBe(200);
});

test('a missing capability is told before the rate, the rate before media type and body', async () => {
  const vendor = await newVendor(gateway);
  for (let index = 0; index < 3; index += 1) await list(vendor.token);
  const stock = tokenWith(gateway, vendor, ['Stock']);
  expect((await list(stock)).state).toBe('FORBIDDEN_CAPABILITY_NOT_GRANTED');
  const headers = { 'content-type': 'text/plain' };
  const wrong = await call(gateway, 'POST', '/api/v1/webhooks', { token: vendor.token, body: 'x', headers });
  expect(wrong.state).toBe('TOO_MANY_REQUESTS');
});

test('a limit of 0 is off: nothing is counted and no header is sent', async () => {
  expect(await createRateLimit(0)('key')).toBeNull();
});

test('the source address is limited on the token routes of both sides', async () => {
  const limited = await startGateway({ tokenCallsPerAddress: createRateLimit(2) });
  try {
    const urls = ['/api/v1/auth/token', '/operator/v1/auth/token', '/api/v1/auth/token'] as const;
    const states: string[] = [];
    for (const url of urls) states.push((await call(limited, 'POST', url, { body: {} })).state);
    expect(states).toEqual(['VALIDATION_ERRORS', 'VALIDATION_ERRORS', 'TOO_MANY_REQUESTS']);
    const headers = { 'content-type': 'text/plain' };
    const answer = await call(limited, 'POST', '/api/v1/auth/token', { body: 'x', headers });
    expect(answer.state).toBe('TOO_MANY_REQUESTS');
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  } finally {
    await limited.close();
  }
});

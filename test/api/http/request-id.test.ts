import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, startGateway, type Gateway } from '../support/api.ts';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const urls = [
  '/api/v1/webhooks',
  '/nope',
  '/api/v1/webhooks/%zz',
  '/operator/v1/vendors',
  '/health',
];
const idFor = async (url: string, headers: Record<string, string> = {}) =>
  (await call(gateway, 'GET', url, { headers })).headers['x-request-id'];

test.each(['a', 'req-1', "!#$%&'*+-.^_`|~09azAZ", 'x'.repeat(128)])(
  'a sane id comes back: %s',
  async (id) => {
    for (const url of urls) expect(await idFor(url, { 'x-request-id': id })).toBe(id);
  },
);

test.each(['', ' ', 'a b', 'x'.repeat(129), 'a,b', 'a"b', 'a/b', '<script>', 'ü', 'a\tb'])(
  'an id that is not sane is replaced by ours: %j',
  async (id) => {
    for (const url of urls) {
      expect(await idFor(url, { 'x-request-id': id })).toMatch(
        /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
      );
    }
  },
);

test('without one, every answer has its own', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => idFor('/nope')));
  expect(new Set(ids).size).toBe(20);
});

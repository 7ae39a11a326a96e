import { expect } from 'vitest';
import { call, type Gateway } from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';

const urls = [
  '/api/v1/webhooks',
  '/nope',
  '/api/v1/webhooks/%zz',
  '/operator/v1/vendors',
  '/health',
];
const idFor = async (gateway: Gateway, url: string, headers: Record<string, string> = {}) =>
  (await call(gateway, 'GET', url, { headers })).headers['x-request-id'];

test.for(['a', 'req-1', "!#$%&'*+-.^_`|~09azAZ", 'x'.repeat(128)])(
  'returns the valid id %s',
  async (id, { gateway }) => {
    for (const url of urls) expect(await idFor(gateway, url, { 'x-request-id': id })).toBe(id);
  },
);

test.for(['', ' ', 'a b', 'x'.repeat(129), 'a,b', 'a"b', 'a/b', '<script>', 'ü', 'a\tb'])(
  'replaces the invalid id %j',
  async (id, { gateway }) => {
    for (const url of urls) {
      expect(await idFor(gateway, url, { 'x-request-id': id })).toMatch(
        /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
      );
    }
  },
);

test('generates a request id when the caller sends none', async ({ gateway }) => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => idFor(gateway, '/nope')));
  expect(new Set(ids).size).toBe(20);
});

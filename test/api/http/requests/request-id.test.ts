import { expect } from 'vitest';
import { call, type Gateway } from '../../../support/api/api.ts';
import { uuid } from '../../../support/api/matchers.ts';
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

test('returns a valid id', async ({ gateway }) => {
  for (const id of ['a', "!#$%&'*+-.^_`|~09azAZ", 'x'.repeat(128)])
    for (const url of urls) expect(await idFor(gateway, url, { 'x-request-id': id })).toBe(id);
});

test('replaces an invalid id', async ({ gateway }) => {
  for (const id of ['', ' ', 'a b', 'x'.repeat(129), 'a,b', 'a"b', '<script>', 'ü', 'a\tb'])
    for (const url of urls)
      expect(await idFor(gateway, url, { 'x-request-id': id }), id).toEqual(uuid);
});

test('generates a request id when the caller sends none', async ({ gateway }) => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => idFor(gateway, '/nope')));
  expect(new Set(ids).size).toBe(20);
});

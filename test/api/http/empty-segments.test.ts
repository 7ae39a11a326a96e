import { expect } from 'vitest';
import { newVendor } from '../support/actors.ts';
import { call, refusal, unknownId, type Gateway } from '../support/api.ts';
import { walkRoutes } from '../support/walk.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
/**
 * A path with an empty segment is 404, before the check of the token.
 */

const test = gatewayTest.extend(
  'token',
  { scope: 'file' },
  async ({ gateway }) => (await newVendor(gateway)).token,
);

/** Without a token, with an invalid one and with a valid one. */
async function expectNoRoute(
  gateway: Gateway,
  token: string,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
) {
  for (const given of [undefined, 'a.b.c', token]) {
    const answer = await call(gateway, method, url, { token: given });
    expect(answer, `${method} ${url}`).toMatchObject(refusal('NOT_FOUND_ROUTE'));
  }
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

test('no route, by any method, has a slash at its end', async ({ gateway, token }) => {
  const urls = new Set((await walkRoutes(gateway, unknownId())).map(({ url }) => url));
  expect(urls.size).toBeGreaterThan(50);
  for (const url of urls) {
    for (const method of methods) await expectNoRoute(gateway, token, method, `${url}/`);
  }
});

test('no route, by any method, has an empty id', async ({ gateway, token }) => {
  const paths = new Set((await walkRoutes(gateway, unknownId())).map(({ path }) => path));
  const withIds = [...paths].filter((path) => path.includes('{'));
  expect(withIds.length).toBeGreaterThan(30);
  for (const path of withIds) {
    const id = unknownId();
    const empty = Array.from(path.matchAll(/\{\w+\}/g), ({ 0: name }) =>
      path.replace(name, '').replaceAll(/\{\w+\}/g, id),
    );
    for (const url of [...empty, path.replaceAll(/\{\w+\}/g, '')]) {
      for (const method of methods) await expectNoRoute(gateway, token, method, url);
    }
  }
});

test('a double slash is not a single one', async ({ gateway, token }) => {
  for (const url of [
    '//api/v1/webhooks',
    '/api//v1/webhooks',
    '/api/v1//webhooks',
    '/api/v1/webhooks//',
  ]) {
    await expectNoRoute(gateway, token, 'GET', url);
  }
});

import { expect } from 'vitest';
import { createRateLimit } from '../../../api/auth/rate-limits.ts';
import { baseUrlOf } from '../error-codes/http.ts';
import { appWith, rawResponse } from '../error-codes/slow-app.ts';
import { newOfferFixture } from '../offers/offer-fixture.ts';
import { newOperator } from '../../support/api/actors.ts';
import { unknownId } from '../../support/api/api.ts';
import { readReferences } from '../../support/api/openapi-document.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';

/** Of the connection and the call; the test compares the length itself. */
const varying = 'date x-request-id connection keep-alive transfer-encoding content-length'.split(
  ' ',
);

async function read(url: string, method: 'GET' | 'HEAD', headers: Record<string, string>) {
  const response = await fetch(url, { method, headers });
  const { status } = response;
  const all = Object.fromEntries(response.headers);
  const stable = Object.entries(all).filter(([name]) => !varying.includes(name));
  return { status, headers: Object.fromEntries(stable), all, body: await response.text() };
}

test('has a HEAD route for every GET route (D146)', async ({ gateway }) => {
  const lines = gateway.app.printRoutes({ commonPrefix: false }).split('\n');
  const gets = lines.filter((line) => /\bGET\b/.test(line));
  expect(gets.length).toBeGreaterThan(60);
  expect(gets.filter((line) => !/\bHEAD\b/.test(line))).toEqual([]);
});

test('returns for HEAD what GET returns, without the body', async ({ gateway }) => {
  const { create, vendor } = await newOfferFixture(gateway);
  const operator = await newOperator(gateway);
  const offer = await create();
  const baseUrl = await baseUrlOf(gateway.app);
  const operations = (await readReferences(gateway.app)).flatMap((side) => side.operations);
  const paths = operations.flatMap(({ method, path }) =>
    method === 'GET' && !path.includes('events') ? [path.replaceAll(/\{\w+\}/g, unknownId())] : [],
  );
  const others = [
    `/api/v1/scent/offers/${offer}`,
    `/api/v1/scent/offers?page=0`,
    '/api/v1/events',
    '/health',
    '/ready',
    '/docs',
    '/docs/errors',
    '/operator/docs',
    '/openapi.json',
    '/llms.txt',
    '/nothing',
  ];
  for (const path of [...paths, ...others]) {
    const token = path.startsWith('/operator/v1') ? operator.token : vendor.token;
    for (const given of [{ authorization: `Bearer ${token}` }, {}]) {
      const { all, body, ...get } = await read(baseUrl + path, 'GET', given);
      const head = await read(baseUrl + path, 'HEAD', given);
      expect(head, path).toMatchObject({ ...get, body: '' });
      expect(head.headers, path).toEqual(get.headers);
      const length = all['content-length'] ?? String(Buffer.byteLength(body));
      if (all['content-encoding'] === undefined)
        expect(head.all['content-length'], path).toBe(length);
    }
  }
});

test('sends nothing but the headers, also with an error and with a 304', async ({ gateway }) => {
  const baseUrl = await baseUrlOf(gateway.app);
  const etag = (await fetch(`${baseUrl}/openapi.json`)).headers.get('etag') ?? '';
  for (const [path, headers, status] of [
    ['/health', '', '200 OK'],
    ['/api/v1/scent/offers', '', '401 Unauthorized'],
    ['/openapi.json', `If-None-Match: ${etag}\r\n`, '304 Not Modified'],
  ] as const) {
    const request = `HEAD ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`;
    const response = await rawResponse(gateway, request);
    expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status}\r\n`));
    expect(response.indexOf('\r\n\r\n')).toBe(response.length - 4);
    // A length of 0 would replace the one that a cache has kept.
    if (status.startsWith('304')) expect(response.toLowerCase()).not.toContain('content-length');
  }
});

test('counts HEAD as a call of the vendor', async ({ gateway, token }) => {
  const dependencies = { ...gateway.dependencies, callsPerVendor: createRateLimit(2) };
  const { app } = await appWith(dependencies);
  const headers = { authorization: `Bearer ${token}` };
  for (const [status, remaining] of [
    [200, '1'],
    [200, '0'],
    [429, '0'],
  ] as const) {
    const response = await app.inject({ method: 'HEAD', url: '/api/v1/scent/offers', headers });
    expect([response.statusCode, response.headers['ratelimit-remaining']]).toEqual([
      status,
      remaining,
    ]);
  }
});

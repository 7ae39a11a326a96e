import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startUiProxy } from '../../embedded/temporal/ui-proxy.ts';
import { freePort } from '../support/free-port.ts';

/** A UI that answers anyone anything, like the UI of Temporal's development server. */
const forwarded: { method: string; url: string; body: string }[] = [];
async function echo(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(incoming);
  forwarded.push({ method: incoming.method ?? '', url: incoming.url ?? '', body });
  response.writeHead(200, {
    'content-type': 'application/json',
    'access-control-allow-origin': '*',
  });
  response.end(JSON.stringify({ Version: '1', DisableWriteActions: false, body }));
}
const upstream = createServer((incoming, response) => void echo(incoming, response));
const portOf = (server: typeof upstream): number => (server.address() as AddressInfo).port;
let proxy: typeof upstream;

beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  proxy = await startUiProxy({
    port: 0,
    upstream: { ip: '127.0.0.1', port: portOf(upstream) },
    hostNames: ['temporal.example.com'],
  });
});
beforeEach(() => {
  forwarded.length = 0;
});
afterAll(() => {
  proxy.close();
  upstream.close();
});

type Call = { method?: string; path?: string; headers?: Record<string, string>; body?: string };

function call({ method = 'GET', path = '/', headers = {}, body }: Call): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: portOf(proxy), method, path, headers })
      .once('response', resolve)
      .once('error', reject)
      .end(body);
  });
}
const statusOf = async (of: Call): Promise<number | undefined> => (await call(of)).statusCode;

const workflow = '/api/v1/namespaces/default/workflows/offer-review%2F1';
const query = `${workflow}/query/__temporal_workflow_metadata`;

test.each(['attacker.example', 'attacker.example:8233', '127.0.0.1.attacker.example', '[', '?'])(
  'refuses the Host %j of a page that reached it by DNS rebinding',
  async (host) => {
    for (const path of ['/', '/api/v1/namespaces', query]) {
      expect(await statusOf({ path, headers: { host } })).toBe(421);
      expect(await statusOf({ method: 'POST', path, headers: { host } })).toBe(421);
    }
    expect(forwarded).toEqual([]);
  },
);

test.each(['localhost', '127.0.0.1:8233', '[::1]:9000', 'LOCALHOST:1', 'temporal.example.com'])(
  'serves the UI under the Host %j',
  async (host) => {
    expect(await statusOf({ path: '/namespaces', headers: { host } })).toBe(200);
  },
);

test.each([
  ['start a workflow', 'POST', workflow],
  ['signal a run', 'POST', `${workflow}/signal/decide`],
  ['terminate a run', 'POST', `${workflow}/terminate`],
  ['update a run', 'POST', `${workflow}/update/approve`],
  ['reset a run', 'POST', `${workflow}/reset`],
  ['terminate a run named query', 'POST', '/api/v1/namespaces/default/workflows/query/x/terminate'],
  ['terminate a run with a query string', 'POST', `${workflow}/terminate?a=/query/x`],
  ['terminate a run by an encoded slash', 'POST', `${workflow}/query%2Fx/terminate`],
  ['start a batch', 'POST', '/api/v1/namespaces/default/batch-operations/1'],
  ['delete a schedule', 'DELETE', '/api/v1/namespaces/default/schedules/1'],
  ['change a schedule', 'PATCH', '/api/v1/namespaces/default/schedules/1'],
  ['change a namespace', 'PUT', '/api/v1/namespaces/default'],
  ['answer a preflight request', 'OPTIONS', workflow],
])('refuses to %s, also under the right Host', async (_what, method, path) => {
  expect(await statusOf({ method, path })).toBe(405);
  expect(forwarded).toEqual([]);
});

test('refuses a query that another site sends', async () => {
  const host = `127.0.0.1:${portOf(proxy)}`;
  const foreign = [
    { origin: 'http://attacker.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: `http://${host}` },
  ];
  for (const headers of foreign)
    expect(await statusOf({ method: 'POST', path: query, headers })).toBe(403);
  expect(forwarded).toEqual([]);
});

test('forwards a query of its own page', async () => {
  const host = `127.0.0.1:${portOf(proxy)}`;
  const headers = { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
  const received = await call({ method: 'POST', path: query, headers, body: '{"query":{}}' });
  expect(await json(received)).toMatchObject({ body: '{"query":{}}' });
  expect(forwarded).toEqual([{ method: 'POST', url: query, body: '{"query":{}}' }]);
});

test('lets no other origin read a response', async () => {
  const { headers } = await call({ headers: { origin: 'http://attacker.example' } });
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test('makes the page hide its write actions', async () => {
  for (const path of ['/api/v1/settings', '/api/v1/settings?']) {
    const received = await call({ path });
    expect(await json(received)).toMatchObject({ Version: '1', DisableWriteActions: true });
  }
});

test('returns 502 while the server behind it is down', async () => {
  const alone = await startUiProxy({
    port: 0,
    upstream: { ip: '127.0.0.1', port: await freePort() },
    hostNames: [],
  });
  const received = await fetch(`http://127.0.0.1:${portOf(alone)}/`);
  expect(received.status).toBe(502);
  alone.close();
});

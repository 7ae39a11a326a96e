import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, vi } from 'vitest';
import { parsedResponse } from '../error-codes/http.ts';
import { appWith, rawResponse, rawConnection, requestHead } from '../error-codes/slow-app.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
/** An API process that ends responds to all requests first. */

const test = gatewayTest.extend('draining', async ({ gateway }) => {
  const drain = new AbortController();
  const dependencies = { ...gateway.dependencies, drain: drain.signal };
  return { drain, ...(await appWith(dependencies)) };
});

test('returns 503 from /ready only during a drain', async ({ draining: { app, drain } }) => {
  expect((await app.inject('/ready')).statusCode).toBe(200);
  drain.abort();
  const ready = await app.inject('/ready');
  expect(ready.statusCode).toBe(503);
  expect(ready.json()).toMatchObject({ state: 'SERVICE_UNAVAILABLE', payload: null });
  expect((await app.inject('/health')).statusCode).toBe(200);
});

test('closes each connection after its response during a drain', async ({ draining }) => {
  const kept = await rawConnection(draining);
  kept.write(requestHead('GET', '/nowhere'));
  const [first] = (await once(kept, 'data')) as [Buffer];
  expect(first.toString()).toMatch(/connection: keep-alive/i);
  draining.drain.abort();
  kept.write(requestHead('GET', '/nowhere'));
  for (const response of [
    await text(kept),
    await rawResponse(draining, requestHead('GET', '/%ff')),
  ])
    expect(parsedResponse(response)).toMatchObject({
      status: 404,
      headers: { Connection: 'close' },
    });
});

test('does not wait at its end for a connection on which nothing was sent', async ({
  draining,
}) => {
  const { app } = draining;
  const silent = await rawConnection(draining);
  // The server has accepted it once it answers a later connection.
  const health = requestHead('GET', '/health', 'connection: close');
  expect(await rawResponse(draining, health)).toContain('200');
  const closed = app.close();
  expect(await text(silent)).toBe('');
  await closed;
});

test('responds in the envelope while the server closes', async ({ draining }) => {
  const { app, drain } = draining;
  const kept = await rawConnection(draining);
  kept.write(requestHead('GET', '/nowhere').slice(0, -2));
  // The server has read the first lines once it answers another connection.
  const health = requestHead('GET', '/health', 'connection: close');
  expect(await rawResponse(draining, health)).toContain('200');
  drain.abort();
  const closed = app.close();
  await vi.waitFor(() => expect(app.server.listening).toBe(false), 20_000);
  kept.write('\r\n');
  const response = parsedResponse(await text(kept));
  expect(response.status).toBe(404);
  expect(JSON.parse(response.text)).toMatchObject({ state: 'NOT_FOUND_ROUTE', payload: null });
  await closed;
});

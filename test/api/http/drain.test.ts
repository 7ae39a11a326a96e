import { once } from 'node:events';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, vi } from 'vitest';
import { createDrain } from '../../../api/http/drain.ts';
import { parsedAnswer } from '../error-codes/http.ts';
import { appWith, rawAnswer, rawConnection } from '../error-codes/slow-app.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
/** An API process that ends responds to all requests first. */

const test = gatewayTest;

const request = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`;

async function nextAnswer(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString();
}

test('returns 503 from /ready only while the process drains', async ({ gateway }) => {
  const drain = createDrain();
  const { app } = await appWith({ ...gateway.dependencies, drain }, {});
  expect((await app.inject('/ready')).statusCode).toBe(200);
  drain.begin();
  const ready = await app.inject('/ready');
  expect([ready.statusCode, ready.json()]).toMatchObject([
    503,
    { state: 'SERVICE_UNAVAILABLE', payload: null },
  ]);
  expect((await app.inject('/health')).statusCode).toBe(200);
});

test('closes each connection after its response during a drain', async ({ gateway }) => {
  const drain = createDrain();
  const slow = await appWith({ ...gateway.dependencies, drain }, {});
  const kept = await rawConnection(slow);
  kept.write(request('/nowhere'));
  expect(await nextAnswer(kept)).toMatch(/connection: keep-alive/i);
  drain.begin();
  kept.write(request('/nowhere'));
  const answer = parsedAnswer(await text(kept));
  expect(answer).toMatchObject({ status: 404, headers: { Connection: 'close' } });
  expect(parsedAnswer(await rawAnswer(slow, request('/%ff')))).toMatchObject({
    status: 404,
    headers: { Connection: 'close' },
  });
});

test('responds in the envelope while the server closes', async ({ gateway }) => {
  const drain = createDrain();
  const slow = await appWith({ ...gateway.dependencies, drain }, {});
  const kept = await rawConnection(slow);
  kept.write('GET /nowhere HTTP/1.1\r\nhost: x\r\n');
  // The server has read the first lines once it answers another connection.
  expect(await rawAnswer(slow, request('/health', 'connection: close\r\n'))).toContain('200');
  drain.begin();
  const closed = slow.app.close();
  await vi.waitFor(() => expect(slow.app.server.listening).toBe(false));
  kept.write('\r\n');
  const answer = parsedAnswer(await text(kept));
  expect(answer.status).toBe(404);
  expect(JSON.parse(answer.text)).toMatchObject({ state: 'NOT_FOUND_ROUTE', payload: null });
  await closed;
});

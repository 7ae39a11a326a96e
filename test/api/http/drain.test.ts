import { once } from 'node:events';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, vi } from 'vitest';
import { createDrain } from '../../../api/http/drain.ts';
import { parsedAnswer } from '../error-codes/http.ts';
import { appWith, rawAnswer, rawConnection } from '../error-codes/slow-app.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
/** An API process that is to end answers everybody first. */

const test = gatewayTest;

const request = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`;

async function nextAnswer(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString();
}

test('while the process drains, /ready answers 503 in the envelope and /health 200', async ({
  gateway,
}) => {
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

test('during a drain, each answer closes its connection, also of an unreadable path', async ({
  gateway,
}) => {
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

test('a request that arrives while the server closes gets its own answer in the envelope', async ({
  gateway,
}) => {
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

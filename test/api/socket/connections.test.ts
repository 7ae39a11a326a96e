import { once } from 'node:events';
import Fastify from 'fastify';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { limitConnections, limitPipelining } from '../../../api/socket/connections.ts';
import { rawConnection } from '../error-codes/slow-app.ts';

/** A connection has at most 20 requests in progress, and a process has a bound of them (D153). */

/** An app whose handlers wait until they are let go. */
function waitingApp({ connectionsMax = 100 } = {}) {
  const app = Fastify();
  onTestFinished(() => app.close());
  limitPipelining(app, () => 'a sender');
  limitConnections(app, { connectionsMax, log: pino({ level: 'silent' }) });
  const waiting: (() => void)[] = [];
  /** Lets all handlers that wait end, or a given number of them. */
  const letGo = (count = waiting.length): void => {
    for (const resolve of waiting.splice(0, count)) resolve();
  };
  const seen = { begun: 0, closed: 0, answered: 0 };
  app.get('/', async (_request, { raw }) => {
    seen.begun += 1;
    raw.once('close', () => {
      seen.closed += 1;
    });
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
    return 'ok';
  });
  /** A connection, whose successes are counted. */
  const connect = async () => {
    const socket = await rawConnection({ app });
    let responses = '';
    socket.on('data', (piece: Buffer) => {
      responses += piece.toString();
      seen.answered = responses.split('HTTP/1.1 200').length - 1;
    });
    return socket;
  };
  return { seen, letGo, connect };
}

const requests = (count: number): string => 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(count);

test('runs at most 20 pipelined requests at a time, and the others in their order', async () => {
  const { seen, letGo, connect } = waitingApp();
  (await connect()).write(requests(60));
  await vi.waitFor(() => expect(seen.begun).toBe(20), 20_000);
  for (let count = 1; count <= 60; count += 1) {
    letGo(1);
    const expected = { answered: count, begun: Math.min(60, 20 + count) };
    await vi.waitFor(() => expect(seen).toMatchObject(expected), 20_000);
  }
});

test('stops reading a connection while its requests wait, and responds to all', async () => {
  const { seen, letGo, connect } = waitingApp();
  const socket = await connect();
  const total = 2000;
  const long = `GET / HTTP/1.1\r\nhost: x\r\nx-fill: ${'x'.repeat(8000)}\r\n\r\n`;
  socket.write(long.repeat(total));
  await vi.waitFor(() => expect(seen.begun).toBe(20), 20_000);
  // Linux holds at most 10 MB for the two sides, and 16 MB were written.
  await vi.waitFor(() => expect(socket.writableLength).toBeGreaterThan(0), 20_000);
  const letting = setInterval(letGo, 1);
  onTestFinished(() => {
    clearInterval(letting);
  });
  await vi.waitFor(() => expect(seen.answered).toBe(total), 20_000);
}, 30_000);

test('closes a connection with more pipelined requests than may wait', async () => {
  const { seen, connect } = waitingApp();
  const socket = await connect();
  socket.write(requests(221));
  await once(socket, 'close');
  // Of 20 requests, the ones that a turn of the event loop did not begin never begin.
  expect(seen.begun).toBeGreaterThan(0);
  expect(seen.begun).toBeLessThanOrEqual(20);
  await vi.waitFor(() => expect(seen.closed).toBe(seen.begun), 20_000);
});

test('closes every response of a connection that its client has ended', async () => {
  const { seen, connect } = waitingApp();
  const socket = await connect();
  socket.write(requests(20));
  await vi.waitFor(() => expect(seen.begun).toBe(20), 20_000);
  socket.destroy();
  await vi.waitFor(() => expect(seen).toMatchObject({ begun: 20, closed: 20 }), 20_000);
});

test('closes a new connection while the process has its maximum', async () => {
  const { seen, letGo, connect } = waitingApp({ connectionsMax: 2 });
  const [first] = [await connect(), await connect()];
  await once(await connect(), 'close');
  first.destroy();
  await vi.waitFor(async () => {
    const next = await connect();
    const before = seen.begun;
    next.write(requests(1));
    await vi.waitFor(() => expect(seen.begun).toBe(before + 1), 500);
  }, 20_000);
  letGo();
});

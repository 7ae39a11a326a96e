import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Resolve } from '../../../guardrail/resolve.ts';
import type { SenderOptions } from '../../../guardrail/send/send.ts';
import { freePort } from '../../support/free-port.ts';
import {
  answering,
  failure,
  loopbackSender,
  message,
  sendTo,
  startReceiver,
  startTcp,
  testSender,
  urlOf,
  type Receiver,
} from '../receiver.ts';

const after =
  (delayMs: number): Resolve =>
  () =>
    wait(delayMs, [{ address: '127.0.0.1' }]);

/** Writes a little again and again, so that no timer of silence would ever end it. */
const drip = (stream: Writable) => {
  const timer = setInterval(
    () => (stream.destroyed ? clearInterval(timer) : stream.write('x')),
    20,
  );
};

/** A receiver whose body drips. */
const dripping = () =>
  startReceiver((response) => {
    response.writeHead(200);
    drip(response);
  });

const half = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf';

test.each<[string, (socket: Socket) => void]>([
  ['reset before the response', (socket) => socket.resetAndDestroy()],
  ['closed before the response', (socket) => socket.end()],
  ['closed in the midst of the body', (socket) => socket.end(half)],
  ['reset within the body', (socket) => socket.write(half, () => socket.resetAndDestroy())],
])('fails without a retry on a connection that is %s', async (_what, end) => {
  const receiver = await startTcp((socket) => socket.once('data', () => end(socket)));
  const sender = testSender([receiver.origin]);
  expect(await sender.send({ ...message, url: receiver.origin })).toEqual(
    failure(expect.stringMatching(/^connection_reset: (ECONNRESET|UND_ERR_SOCKET)$/)),
  );
  await sender.close();
  expect(receiver.sockets.accepted).toBe(1);
});

const notFound = Object.assign(new Error('10.0.0.1'), { code: 'ENOTFOUND' });
test.each<[string, Resolve]>([
  ['dns_error: ENOTFOUND', () => Promise.reject(notFound)],
  ['dns_error: ENODATA', answering()],
  ['connection_refused: ECONNREFUSED', answering('127.0.0.1')],
  // Of several addresses, the result names the one that answered.
  ['connection_refused: ECONNREFUSED', answering('255.255.255.255', '127.0.0.1')],
  ['connection_refused: ECONNREFUSED', answering('127.0.0.1', '255.255.255.255')],
])('names the fault %s (%#)', async (summary, resolve) => {
  const port = await freePort();
  const sender = loopbackSender(port, { resolve });
  expect(await sender.send({ ...message, url: urlOf(port) })).toEqual(failure(summary));
});

test('names a fault without a route to any address', async () => {
  // Linux knows no route from loopback's own 255.255.255.255; other systems say so with another
  // code.
  const sender = loopbackSender(443, { resolve: answering('255.255.255.255') });
  const { errorSummary } = await sender.send({ ...message, url: urlOf(443) });
  expect(errorSummary).toMatch(/^network_unreachable: E[A-Z]+$/);
});

const timeoutMs = 150;
const late = failure(`timeout: no complete answer within ${timeoutMs} ms`);

/** The sender's own limit is a minute, so that nothing else can be what ends the send. */
async function expectLate(url: string, options: Partial<SenderOptions> = {}): Promise<void> {
  const origins = url.includes('vendor.example.org') ? [] : [url];
  const sender = testSender(origins, { timeoutMs: 60_000, ...options });
  const start = performance.now();
  expect(await sender.send({ ...message, url, timeoutMs })).toEqual(late);
  const elapsedMs = performance.now() - start;
  expect(elapsedMs).toBeGreaterThan(timeoutMs - 10);
  expect(elapsedMs).toBeLessThan(timeoutMs + 10_000);
}

test('ends a look-up without an answer in time', () =>
  expectLate('https://vendor.example.org', { resolve: () => new Promise(() => undefined) }));

test.each<[string, () => Promise<Pick<Receiver, 'origin' | 'sockets'>>]>([
  [
    'a TLS handshake without a response',
    async () => {
      const { origin, sockets } = await startTcp((socket) => socket.resume());
      return { origin: origin.replace('http:', 'https:'), sockets };
    },
  ],
  ['a request without a response', () => startReceiver(() => undefined)],
  [
    'a response whose headers drip',
    () =>
      startTcp((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nx-drip: ');
        drip(socket);
      }),
  ],
  ['a body that drips, although its status is long known,', dripping],
])('ends %s in time, with its connection', async (_what, start) => {
  const { origin, sockets } = await start();
  await expectLate(origin);
  await vi.waitFor(() => expect(sockets.open.size).toBe(0), 20_000);
  // With the signal of a request, undici would have connected once more.
  expect(sockets.accepted).toBe(1);
});

test('limits a send without its own limit by the sender’s', async () => {
  expect(await sendTo(await startReceiver(() => undefined), { timeoutMs })).toEqual(late);
});

test('limits look-up, connection and response by one time limit', async () => {
  const receiver = await dripping();
  const url = `http://localhost:${receiver.port}`;
  const order: string[] = [];
  const send = async (name: string, limitMs: number, resolve: Resolve) => {
    await testSender([url], { resolve }).send({ ...message, url, timeoutMs: limitMs });
    order.push(name);
  };
  // A clock that started after the look-up would strike 1.5 s after its time, and the other send
  // be before it.
  await Promise.all([
    send('first', 6000, after(1500)),
    send('second', 7000, answering('127.0.0.1')),
  ]);
  expect(receiver.hits).toHaveLength(2);
  expect(order).toEqual(['first', 'second']);
});

/** Its thread sleeps from then on, so that the kernel alone takes connections, a few of them. */
const source = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });
`;

/** A server that takes connections and nothing else, and its port. It ends with the test. */
async function startFrozen(): Promise<number> {
  const worker = new Worker(source, { eval: true });
  onTestFinished(async () => {
    await worker.terminate();
  });
  const [port] = (await once(worker, 'message')) as [number];
  return port;
}

/**
 * Connects to a frozen server until the kernel's queue is full, after which it answers no client.
 */
async function fillQueue(port: number): Promise<void> {
  const enough = new AbortController();
  for (let isFull = false; !isFull;) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    isFull = await Promise.race([
      once(socket, 'connect').then(() => false),
      wait(500, true, { signal: enough.signal }),
    ]);
  }
  enough.abort();
}

test('ends in time a connection to a receiver whose queue is full', async () => {
  const port = await startFrozen();
  await fillQueue(port);
  await expectLate(`http://127.0.0.1:${port}`);
});

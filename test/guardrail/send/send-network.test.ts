import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import type { Resolve } from '../../../guardrail/resolve.ts';
import type { SenderOptions } from '../../../guardrail/send/send.ts';
import { fillQueue, startFrozen } from './frozen.ts';
import {
  answering,
  failure,
  loopbackSender,
  message,
  startReceiver,
  startTcp,
  testSender,
  urlOf,
} from '../receiver.ts';

const after =
  (delayMs: number): Resolve =>
  () =>
    new Promise((answer) => {
      setTimeout(() => answer([{ address: '127.0.0.1' }]), delayMs);
    });

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

/** A loopback port without a listener. */
async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

describe('faults of the network', () => {
  const half = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf';

  test.each<[string, (socket: Socket) => void]>([
    ['reset before the answer', (socket) => socket.resetAndDestroy()],
    ['closed before the answer', (socket) => socket.end()],
    ['closed in the midst of the body', (socket) => socket.end(half)],
    ['reset in its midst', (socket) => socket.write(half, () => socket.resetAndDestroy())],
  ])('a connection that is %s is made once, and its answer is incomplete', async (_what, end) => {
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
  ])('%s', async (summary, resolve) => {
    const port = await unusedPort();
    const sender = loopbackSender(port, { resolve });
    expect(await sender.send({ ...message, url: urlOf(port) })).toEqual(failure(summary));
  });

  test('no route to any address', async () => {
    // Linux knows no route from loopback's own 255.255.255.255; other systems say so with another
    // code.
    const sender = loopbackSender(443, { resolve: answering('255.255.255.255') });
    const { errorSummary } = await sender.send({ ...message, url: urlOf(443) });
    expect(errorSummary).toMatch(/^network_unreachable: E[A-Z]+$/);
  });
});

describe('one time limit over everything', () => {
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
    expect(elapsedMs).toBeLessThan(timeoutMs + 700);
  }

  test('the look-up', () =>
    expectLate('https://vendor.example.org', { resolve: () => new Promise(() => undefined) }));

  test('the TLS handshake', async () => {
    const receiver = await startTcp((socket) => socket.resume());
    await expectLate(receiver.origin.replace('http:', 'https:'));
    await vi.waitFor(() => expect(receiver.sockets.open.size).toBe(0));
  });

  test('no answer at all', async () => {
    const receiver = await startReceiver(() => undefined);
    await expectLate(receiver.origin);
    await vi.waitFor(() => expect(receiver.sockets.open.size).toBe(0));
    // With the signal of a request, undici would have connected once more.
    expect(receiver.sockets.accepted).toBe(1);
    // The sender's own limit holds for a send without one.
    const sender = testSender([receiver.origin], { timeoutMs });
    expect(await sender.send({ ...message, url: receiver.origin })).toEqual(late);
  });

  test('headers that drip', async () => {
    const receiver = await startTcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx-drip: ');
      drip(socket);
    });
    await expectLate(receiver.origin);
  });

  test('a body that drips, although its status is long known', async () => {
    const receiver = await dripping();
    await expectLate(receiver.origin);
    await vi.waitFor(() => expect(receiver.sockets.open.size).toBe(0));
  });

  test('look-up, connection and answer share one time limit', async () => {
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
      send('first', 2000, after(1500)),
      send('second', 3000, answering('127.0.0.1')),
    ]);
    expect(receiver.hits).toHaveLength(2);
    expect(order).toEqual(['first', 'second']);
  });

  test('a receiver whose queue is full, so that the connection itself has no answer', async () => {
    const port = await startFrozen();
    await fillQueue(port);
    await expectLate(`http://127.0.0.1:${port}`);
  });
});

import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import type { Resolve } from '../../../guardrail/resolve.ts';
import type { SenderOptions } from '../../../guardrail/send/send.ts';
import { fillQueue, startFrozen } from './frozen.ts';
import { message, startReceiver, startTcp, testSender } from '../receiver.ts';
import { failure, answering, urlOf, policyFor } from './send-network-fixture.ts';

const notFound: Resolve = () =>
  Promise.reject(Object.assign(new Error('10.0.0.1'), { code: 'ENOTFOUND' }));
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
  test('no server listens', async () => {
    const url = `http://127.0.0.1:${await unusedPort()}`;
    expect(await testSender([url]).send({ ...message, url })).toEqual(
      failure('connection_refused: ECONNREFUSED'),
    );
  });

  const half = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf';

  test.each<[string, (socket: Socket) => void]>([
    ['reset before the answer', (socket) => socket.resetAndDestroy()],
    ['closed before the answer', (socket) => socket.end()],
    ['closed in the midst of the body', (socket) => socket.end(half)],
    [
      'reset in the midst of the body',
      (socket) => socket.write(half, () => socket.resetAndDestroy()),
    ],
  ])('a connection that is %s is made once, and its answer is incomplete', async (_what, end) => {
    const receiver = await startTcp((socket) => socket.once('data', () => end(socket)));
    const sender = testSender([receiver.origin]);
    expect(await sender.send({ ...message, url: receiver.origin })).toEqual(
      failure(expect.stringMatching(/^connection_reset: (ECONNRESET|UND_ERR_SOCKET)$/)),
    );
    await sender.close();
    expect(receiver.sockets.accepted).toBe(1);
  });

  test('the name has no address, or the look-up fails', async () => {
    const url = 'https://vendor.example.org/';
    expect(await testSender([], { resolve: notFound }).send({ ...message, url })).toEqual(
      failure('dns_error: ENOTFOUND'),
    );
    expect(await testSender([], { resolve: answering() }).send({ ...message, url })).toEqual(
      failure('dns_error: ENODATA'),
    );
  });

  test('no route to any address', async () => {
    // Linux knows no route from loopback's own 255.255.255.255; other systems say so with another
    // code.
    const sender = testSender([], {
      resolve: answering('255.255.255.255'),
      isForbidden: () => false,
    });
    const { errorSummary } = await sender.send({ ...message, url: 'https://vendor.example.org/' });
    expect(errorSummary).toMatch(/^network_unreachable: E[A-Z]+$/);
  });

  test.each([[['255.255.255.255', '127.0.0.1']], [['127.0.0.1', '255.255.255.255']]])(
    'of several addresses, the result names the one that answered: %j',
    async (addresses) => {
      const port = await unusedPort();
      const sender = testSender([], {
        ...policyFor(port),
        resolve: answering(...addresses),
        isForbidden: () => false,
      });
      expect(await sender.send({ ...message, url: urlOf(port) })).toEqual(
        failure('connection_refused: ECONNREFUSED'),
      );
    },
  );
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
  });

  test('headers that drip', async () => {
    const receiver = await startTcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx-drip: ');
      drip(socket);
    });
    await expectLate(receiver.origin);
  });

  test('a body that drips, although its status is long known', async () => {
    const receiver = await startReceiver((response) => {
      response.writeHead(200);
      drip(response);
    });
    await expectLate(receiver.origin);
    await vi.waitFor(() => expect(receiver.sockets.open.size).toBe(0));
  });

  test('look-up, connection and answer share one time limit', async () => {
    const receiver = await startReceiver((response) => {
      response.writeHead(200);
      drip(response);
    });
    const url = `http://localhost:${receiver.port}`;
    const sender = testSender([url], { resolve: after(1500) });
    const order: string[] = [];
    // A clock that started after the look-up would strike 1.5 s after its time, and the other send
    // be before it.
    await Promise.all([
      sender.send({ ...message, url, timeoutMs: 2000 }).then(() => order.push('first')),
      testSender([url], { resolve: answering('127.0.0.1') })
        .send({ ...message, url, timeoutMs: 3000 })
        .then(() => order.push('second')),
    ]);
    expect(receiver.hits).toHaveLength(2);
    expect(order).toEqual(['first', 'second']);
  });

  test('a receiver that takes the connection and never a byte more', async () => {
    const port = await startFrozen();
    await expectLate(`http://127.0.0.1:${port}`);
    await expectLate(`https://127.0.0.1:${port}`);
  });

  test('a receiver whose queue is full, so that the connection itself has no answer', async () => {
    const port = await startFrozen();
    await fillQueue(port);
    await expectLate(`http://127.0.0.1:${port}`);
  });

  test('the sender’s own limit holds for a send without one', async () => {
    const receiver = await startReceiver(() => undefined);
    const sender = testSender([receiver.origin], { timeoutMs });
    expect(await sender.send({ ...message, url: receiver.origin })).toEqual(late);
  });
});

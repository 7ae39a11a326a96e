import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { RetryAfter } from '../../../guardrail/send/retry-after.ts';
import { message, ok, startReceiver, startTcp, status, testSender } from '../receiver.ts';

describe('what is sent', () => {
  test('one POST with the path, query, headers and body as given', async () => {
    const receiver = await startReceiver();
    const headers = {
      'content-type': 'application/json',
      'webhook-id': 'evt_1',
      'accept-encoding': 'identity',
    };
    const body = '{"a":"ä😀"}';
    const result = await testSender([receiver.origin]).send({
      url: `${receiver.origin}/h%20k?a=1&b=ü`,
      headers,
      body,
    });
    expect(result).toEqual({
      succeeded: true,
      httpStatus: 200,
      errorSummary: null,
      retryAfter: null,
    });
    expect(receiver.hits).toHaveLength(1);
    expect(receiver.hits[0]).toMatchObject({ url: '/h%20k?a=1&b=%C3%BC', body, headers });
    expect(receiver.hits[0]?.headers.host).toBe(`127.0.0.1:${receiver.port}`);
    expect(receiver.hits[0]?.headers['content-length']).toBe(String(Buffer.byteLength(body)));
  });

  test('64 KiB arrive whole', async () => {
    const receiver = await startReceiver();
    const body = 'x'.repeat(64 * 1024);
    await testSender([receiver.origin]).send({ ...message, url: receiver.origin, body });
    expect(receiver.hits[0]?.body).toBe(body);
  });
});

describe('the verdict is by status', () => {
  test.each([200, 201, 202, 204, 299])('%d is success', async (code) => {
    const receiver = await startReceiver(status(code, { 'retry-after': '5' }));
    expect(await testSender([receiver.origin]).send({ ...message, url: receiver.origin })).toEqual({
      succeeded: true,
      httpStatus: code,
      errorSummary: null,
      retryAfter: null,
    });
  });

  test.each([400, 401, 404, 410, 429, 500, 503, 599])(
    '%d is a failure that names it',
    async (code) => {
      const receiver = await startReceiver(status(code));
      expect(
        await testSender([receiver.origin]).send({ ...message, url: receiver.origin }),
      ).toEqual({
        succeeded: false,
        httpStatus: code,
        errorSummary: `http_status: ${code}`,
        retryAfter: null,
      });
    },
  );

  test.each([300, 301, 302, 303, 304, 307, 308])('%d is not followed', async (code) => {
    const target = await startReceiver();
    const receiver = await startReceiver(status(code, { location: `${target.origin}/metadata` }));
    const sender = testSender([receiver.origin, target.origin]);
    expect(await sender.send({ ...message, url: receiver.origin })).toEqual({
      succeeded: false,
      httpStatus: code,
      errorSummary: `redirect_not_followed: ${code}`,
      retryAfter: null,
    });
    expect(receiver.hits).toHaveLength(1);
    expect(target.hits).toHaveLength(0);
    expect(target.sockets.accepted).toBe(0);
  });

  test('the result of a failure has Retry-After, at most an hour', async () => {
    const values = ['7', '86400', new Date(Date.now() + 600_000).toUTCString(), 'soon'];
    const receiver = await startReceiver((response, { url }) =>
      status(503, { 'retry-after': values[Number(url?.slice(1))] ?? '' })(response, {
        url,
        headers: {},
        body: '',
      }),
    );
    const sender = testSender([receiver.origin]);
    const wishes: (RetryAfter | null)[] = [];
    for (const index of values.keys()) {
      wishes.push(
        (await sender.send({ ...message, url: `${receiver.origin}/${index}` })).retryAfter,
      );
    }
    expect(wishes).toEqual([
      { waitMs: 7000 },
      { waitMs: 3_600_000 },
      { untilMs: Date.parse(values[2] ?? '') },
      null,
    ]);
  });

  test('a body much too long does not change it, and its connection is closed', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let written = 0;
    const receiver = await startReceiver((response) => {
      const more = () => {
        do written += chunk.length;
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
    });
    expect(
      await testSender([receiver.origin]).send({ ...message, url: receiver.origin }),
    ).toMatchObject({
      succeeded: true,
      httpStatus: 200,
    });
    await vi.waitFor(() => expect(receiver.sockets.open.size).toBe(0));
    // The bytes in the kernel's buffers, which the receiver never read.
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  test('of a body much too long, no more than one piece beyond 16 KiB is read', async () => {
    const sockets: Socket[] = [];
    const onConnected = (event: unknown) =>
      sockets.push((event as { readonly socket: Socket }).socket);
    subscribe('undici:client:connected', onConnected);
    onTestFinished(() => void unsubscribe('undici:client:connected', onConnected));
    const receiver = await startReceiver((response) =>
      response.end(Buffer.alloc(8 * 1024 * 1024, 'x')),
    );
    await testSender([receiver.origin]).send({ ...message, url: receiver.origin });
    await vi.waitFor(() => expect(receiver.sockets.open.size).toBe(0));
    expect(sockets).toHaveLength(1);
    // Node reads a socket in pieces of 64 KiB.
    expect(sockets[0]?.bytesRead).toBeLessThanOrEqual((16 + 64 + 1) * 1024);
  });

  test('a body of many small pieces is read to 16 KiB only, and counted across them', async () => {
    const receiver = await startReceiver((response) => {
      const timer = setInterval(() => {
        if (response.destroyed) clearInterval(timer);
        else response.write('x'.repeat(1024));
      }, 1);
    });
    expect(
      await testSender([receiver.origin]).send({ ...message, url: receiver.origin }),
    ).toMatchObject({
      succeeded: true,
    });
    await vi.waitFor(() => expect(receiver.sockets.open.size).toBe(0));
  });

  test('16 KiB exactly are read to the end, and the connection is used again', async () => {
    const receiver = await startReceiver((response) => response.end('x'.repeat(16 * 1024)));
    const sender = testSender([receiver.origin]);
    await sender.send({ ...message, url: receiver.origin });
    await sender.send({ ...message, url: receiver.origin });
    expect(receiver.sockets.accepted).toBe(1);
  });

  test('a compressed body is counted as it comes, and not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(12 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(16 * 1024);
    const receiver = await startReceiver((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    const sender = testSender([receiver.origin]);
    const results = [];
    for (let count = 0; count < 3; count += 1)
      results.push(await sender.send({ ...message, url: receiver.origin }));
    expect(results.every(({ succeeded }) => succeeded)).toBe(true);
    // Unpacked, each would have passed 16 KiB and cost its connection.
    expect(receiver.sockets.accepted).toBe(1);
  });

  test('gzip that is none is no failure', async () => {
    const receiver = await startReceiver((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'),
    );
    expect(
      (await testSender([receiver.origin]).send({ ...message, url: receiver.origin })).succeeded,
    ).toBe(true);
  });
});

/** How many timers keep the process. */
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

describe('the caller', () => {
  test('a header that cannot be sent is the caller’s mistake', async () => {
    const receiver = await startReceiver();
    const sending = testSender([receiver.origin]).send({
      url: receiver.origin,
      headers: { 'x-a': 'b\r\nhost: c' },
      body: '',
    });
    await expect(sending).rejects.toThrow('invalid x-a header');
    expect(receiver.hits).toHaveLength(0);
  });

  test('a send that is done leaves no timer that would keep the process', async () => {
    const receiver = await startReceiver();
    const sender = testSender([receiver.origin]);
    const before = timers();
    for (let count = 0; count < 10; count += 1)
      await sender.send({ ...message, url: receiver.origin });
    expect(timers()).toBeLessThan(before + 5);
  });

  test('close waits for the sends under way, and then leaves no connection', async () => {
    const gate = new EventEmitter();
    const receiver = await startReceiver((response, hit) =>
      gate.once('open', () => ok(response, hit)),
    );
    const sender = testSender([receiver.origin]);
    const sending = sender.send({ ...message, url: receiver.origin });
    await vi.waitFor(() => expect(receiver.hits).toHaveLength(1));
    const closing = sender.close();
    gate.emit('open');
    expect((await sending).succeeded).toBe(true);
    await closing;
    await vi.waitFor(() => expect(receiver.sockets.open.size).toBe(0));
    await expect(sender.send({ ...message, url: receiver.origin })).rejects.toThrow(
      'the sender is closed',
    );
  });
});

describe('summaries', () => {
  const huge = 'hunter2'.repeat(9000);

  test.each([
    [
      'status text and body',
      'HTTP/1.1 500 hunter2\r\nx-secret: hunter2\r\ncontent-length: 7\r\n\r\nhunter2',
      'http_status: 500',
    ],
    ['no HTTP', 'hunter2 hunter2 hunter2\r\n\r\n', 'connection_reset: INVALID_HTTP'],
    [
      'a length that is none',
      'HTTP/1.1 200 OK\r\ncontent-length: hunter2\r\n\r\n',
      'connection_reset: INVALID_HTTP',
    ],
    [
      'huge headers',
      `HTTP/1.1 200 OK\r\nhunter2: ${huge}\r\n\r\n`,
      'connection_reset: UND_ERR_HEADERS_OVERFLOW',
    ],
    [
      'an upgrade',
      'HTTP/1.1 101 hunter2\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      'connection_reset: UND_ERR_SOCKET',
    ],
    ['an interim answer only', 'HTTP/1.1 100 Continue\r\n\r\n', 'connection_reset: UND_ERR_SOCKET'],
    [
      'an early hint',
      'HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 418 hunter2\r\ncontent-length: 0\r\n\r\n',
      'http_status: 418',
    ],
  ])('repeat nothing of the receiver’s: %s', async (_what, answer, summary) => {
    const receiver = await startTcp((socket) => socket.once('data', () => socket.end(answer)));
    const result = await testSender([receiver.origin]).send({ ...message, url: receiver.origin });
    expect(result).toMatchObject({ succeeded: false, errorSummary: summary });
  });
});

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { hostileResponses, type HostileKind } from './hostile-responses.ts';
import {
  failure,
  loopbackSender,
  message,
  sendTo,
  startReceiver,
  startTcp,
  startTlsReceiver,
  success,
  testSender,
  urlOf,
} from '../receiver.ts';
import { selfSigned } from '../self-signed.ts';

/** 32 KiB of one request, and one piece of 64 KiB, in which Node reads a socket. */
const rawBytesMax = (32 + 64) * 1024;
const tooLong = failure('connection_reset: ANSWER_TOO_LONG');
const tls = selfSigned(['vendor.example.org']);
/** No timeout ends these sends: the limit of bytes must. */
const options = { timeoutMs: 60_000, ca: tls.cert };

/** The TCP sockets that the sender opens from here on: they count the bytes on the wire. */
function watchSockets(): Socket[] {
  const sockets: Socket[] = [];
  const onSocket = (event: unknown) => sockets.push((event as { readonly socket: Socket }).socket);
  subscribe('net.client.socket', onSocket);
  onTestFinished(() => void unsubscribe('net.client.socket', onSocket));
  return sockets;
}

/**
 * What a hostile response comes to. A status that came within the limit decides, as with a long
 * body.
 */
const results: Readonly<Record<HostileKind, object>> = {
  'interim-responses': tooLong,
  'interim-headers': tooLong,
  'reason-phrase': tooLong,
  'line-ends': tooLong,
  'header-line': tooLong,
  'header-lines': tooLong,
  'chunk-extension': success,
  'chunk-size': success,
  'tiny-chunks': success,
  'trailer-lines': success,
  body: success,
};

/** A receiver by HTTP or HTTPS, and a sender to it. */
async function setUp(scheme: string, respond: Parameters<typeof startReceiver>[0]) {
  const isTls = scheme === 'https';
  const receiver = await (isTls ? startTlsReceiver(tls, respond) : startReceiver(respond));
  const url = isTls ? urlOf(receiver.port) : receiver.origin;
  const sender = isTls ? loopbackSender(receiver.port, options) : testSender([url], options);
  return { receiver, send: () => sender.send({ ...message, url }) };
}

const kinds = Object.keys(results) as HostileKind[];

test.each(['http', 'https'].flatMap((scheme) => kinds.map((kind) => [scheme, kind] as const)))(
  'reads over %s at most 32 KiB of an endless response: %s',
  async (scheme, kind) => {
    const { receiver, send } = await setUp(scheme, ({ socket }) => {
      if (socket !== null) hostileResponses[kind](socket);
    });
    const sockets = watchSockets();
    expect(await send()).toEqual(results[kind]);
    expect(sockets).toHaveLength(1);
    expect(sockets[0]?.bytesRead).toBeLessThanOrEqual(rawBytesMax);
    await vi.waitFor(() => expect(receiver.sockets.open.size).toBe(0), 20_000);
  },
);

test('reads headers of almost 32 KiB', async () => {
  const { send } = await setUp('http', (response) =>
    response.writeHead(204, { 'x-policy': 'x'.repeat(31 * 1024) }).end(),
  );
  expect(await send()).toEqual({ ...success, httpStatus: 204 });
});

test('reads at most one piece beyond 16 KiB of a body that is too long', async () => {
  const body = Buffer.alloc(8 * 1024 * 1024, 'x');
  const { receiver, send } = await setUp('http', (response) => response.end(body));
  const sockets = watchSockets();
  expect(await send()).toEqual(success);
  await vi.waitFor(() => expect(receiver.sockets.open.size).toBe(0), 20_000);
  expect(sockets).toHaveLength(1);
  // Node reads a socket in pieces of 64 KiB.
  expect(sockets[0]?.bytesRead).toBeLessThanOrEqual((16 + 64 + 1) * 1024);
});

test('breaks a TLS handshake whose certificate chain exceeds 32 KiB', async () => {
  const more = Array.from({ length: 120 }, () => selfSigned(['vendor.example.org']).cert);
  const receiver = await startTlsReceiver({ ...tls, cert: [tls.cert, ...more].join('') });
  const sockets = watchSockets();
  const sender = loopbackSender(receiver.port, options);
  expect(await sender.send({ ...message, url: urlOf(receiver.port) })).toEqual(tooLong);
  expect(sockets[0]?.bytesRead).toBeLessThanOrEqual(rawBytesMax);
  expect(receiver.hits).toHaveLength(0);
});

test('counts bytes that arrive one by one as 64 each, so that it reads few pieces', async () => {
  let dripped = 0;
  const receiver = await startTcp((socket) => {
    socket.setNoDelay(true).once('data', () => {
      socket.write('HTTP/1.1 200 ');
      const timer = setInterval(() => {
        if (socket.destroyed) clearInterval(timer);
        else socket.write('x', () => (dripped += 1));
      }, 1);
    });
  });
  const sockets = watchSockets();
  expect(await sendTo(receiver, options)).toEqual(tooLong);
  expect(sockets[0]?.bytesRead).toBeLessThan(16 * 1024);
  expect(dripped).toBeLessThan(16 * 1024);
});

test.each(['http', 'https'])(
  'counts the bytes of each request on one %s connection separately',
  async (scheme) => {
    const body = 'x'.repeat(15 * 1024);
    const { receiver, send } = await setUp(scheme, (response) => response.end(body));
    for (let count = 0; count < 6; count += 1) expect(await send()).toEqual(success);
    expect(receiver.sockets.accepted).toBe(1);
  },
);

test.each([
  ['eight are skipped', 8, { succeeded: true, httpStatus: 204 }],
  ['the ninth breaks the connection', 9, tooLong],
])('limits interim responses: %s', async (_what, count, result) => {
  const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(count);
  const receiver = await startTcp((socket) =>
    socket.once('data', () => socket.write(`${hints}HTTP/1.1 204 No Content\r\n\r\n`)),
  );
  expect(await sendTo(receiver, options)).toMatchObject(result);
});

// With these, a receiver could choose an expensive key exchange.
test('offers no finite-field group and no DHE cipher', async () => {
  const hellos: Buffer[] = [];
  const receiver = await startTcp((socket) =>
    socket.once('data', (hello: Buffer) => {
      hellos.push(hello);
      socket.destroy();
    }),
  );
  await loopbackSender(receiver.port).send({ ...message, url: urlOf(receiver.port) });
  const { ciphers, groups } = parseHello(hellos[0] ?? Buffer.alloc(0));
  expect(groups).toEqual([0x001d, 0x0017, 0x0018, 0x0019]);
  expect(ciphers.length).toBeGreaterThan(5);
  // TLS_DHE_RSA and TLS_DHE_DSS with AES, ChaCha20, CCM or ARIA (IANA's registry).
  const dhe = [0x33, 0x39, 0x67, 0x6b, 0x9e, 0x9f, 0xc09e, 0xc09f, 0xc0a2, 0xc0a3, 0xcc_aa];
  expect(ciphers.filter((cipher) => dhe.includes(cipher))).toEqual([]);
});

/** The cipher suites and supported groups of a ClientHello (RFC 8446, 4.1.2). */
function parseHello(record: Buffer) {
  const list = (from: number, bytes: number) =>
    Array.from({ length: bytes / 2 }, (_item, index) => record.readUInt16BE(from + 2 * index));
  // Record header 5, message header 4, version 2, random 32, then the session id.
  const cipherBytesAt = 44 + (record[43] ?? 0);
  const cipherBytes = record.readUInt16BE(cipherBytesAt);
  const compressionAt = cipherBytesAt + 2 + cipherBytes;
  let at = compressionAt + 1 + (record[compressionAt] ?? 0) + 2;
  for (; at + 4 <= record.length; at += 4 + record.readUInt16BE(at + 2)) {
    if (record.readUInt16BE(at) !== 10) continue;
    return {
      ciphers: list(cipherBytesAt + 2, cipherBytes),
      groups: list(at + 6, record.readUInt16BE(at + 4)),
    };
  }
  return { ciphers: list(cipherBytesAt + 2, cipherBytes), groups: [] };
}

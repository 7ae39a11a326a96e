import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { mendHeads } from '../../../guardrail/send/response-heads.ts';
import { createAllowance } from '../../../guardrail/send/metered-stream.ts';
import {
  failure,
  loopbackSender,
  message,
  sendTo,
  startTcp,
  startTlsReceiver,
  testSender,
  urlOf,
} from '../receiver.ts';
import { selfSigned } from '../self-signed.ts';

const lines = (...parts: readonly string[]): string => parts.join('\r\n');
const head = (...fields: readonly string[]): string => lines('HTTP/1.1 200 OK', ...fields, '', '');
const interim = lines('HTTP/1.1 100 Continue', '', '');
const ok = `${head('content-length: 2')}ok`;
const equal = ['content-length: 2 ', 'content-length: 2 '];
const zero = 'content-length: 0';

test.each([
  ['100 Continue before the response', interim + ok],
  ['100 Continue with fields', `${lines('HTTP/1.1 100 Go', 'a: b', '', '')}${ok}`],
  ['100 without a reason', `${lines('HTTP/1.1 100', '', '')}${ok}`],
  ['eight interim responses', interim.repeat(8) + ok],
  ['100 and 103', `${interim}${lines('HTTP/1.1 103 Early', 'link: x', '', '')}${ok}`],
  ['two equal lengths', `${head('content-length: 2', 'Content-Length: 2')}ok`],
  ['three equal lengths', `${head('Content-Length:2', 'a: b', ...equal)}ok`],
  ['a list of equal lengths', `${head('content-length: 2, 2')}ok`],
  ['two lengths of 0', lines('HTTP/1.1 204 No Content', zero, zero, '', '')],
  ['100 and two equal lengths', `${interim}${head('content-length: 2', 'content-length: 2')}ok`],
])('accepts %s, in one packet and in packets of a byte', async (_what, response) => {
  for (const size of [response.length, 1]) {
    const receiver = await startTcp((socket) => {
      socket.setNoDelay(true);
      const pieces = response.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      const send = (): void => {
        const piece = pieces.shift();
        if (piece === undefined) return;
        socket.write(piece);
        setImmediate(send);
      };
      socket.once('data', send);
    });
    const success = { succeeded: true, errorSummary: null };
    expect([size, await sendTo(receiver)]).toMatchObject([size, success]);
  }
});

const mismatch = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';

test.each([
  ['two different lengths', `${head('content-length: 2', 'content-length: 3')}ok`, mismatch],
  ['a list of different lengths', `${head('content-length: 2, 3')}ok`, mismatch],
  ['a length that is none', `${head('content-length: 2', 'content-length: +2')}ok`, mismatch],
  ['a length with a space', `${head('content-length: 2', 'content-length : 2')}ok`, mismatch],
  ['lengths and a coding', `${head(...equal, 'transfer-encoding: chunked')}ok`, mismatch],
  ['a continued length', `${head('content-length: 2', 'content-length: 2', ' 2')}ok`, mismatch],
  ['ten interim responses', interim.repeat(10) + ok, 'UND_ERR_SOCKET'],
  ['line ends without CR', interim.replaceAll('\r', '') + ok, 'INVALID_HTTP'],
  ['100 Continue only', interim, 'UND_ERR_SOCKET'],
])('refuses a response with %s', async (_what, response, code) => {
  const receiver = await startTcp((socket) => socket.once('data', () => socket.end(response)));
  expect(await sendTo(receiver)).toEqual(failure(`connection_reset: ${code}`));
});

test('reuses a connection after interim responses and equal lengths', async () => {
  const responses = [interim + ok, `${head('content-length: 2', 'content-length: 2')}ok`, ok];
  const receiver = await startTcp((socket) => {
    socket.on('data', () => socket.write(responses.shift() ?? ''));
  });
  const sender = testSender([receiver.origin]);
  const send = () => sender.send({ ...message, url: receiver.origin });
  for (let sent = 0; sent < 3; sent += 1) expect(await send()).toMatchObject({ succeeded: true });
  expect(receiver.sockets.accepted).toBe(1);
});

test('accepts interim responses and equal lengths over TLS', async () => {
  const tls = selfSigned(['vendor.example.org']);
  const response = `${interim}${head('content-length: 2', 'content-length: 2')}ok`;
  const { port } = await startTlsReceiver(tls, ({ socket }) => socket?.write(response));
  const sender = loopbackSender(port, { ca: tls.cert });
  expect(await sender.send({ ...message, url: urlOf(port) })).toMatchObject({ succeeded: true });
});

test('passes on every other byte unchanged, in any two pieces', () => {
  const longHead = head(`a: ${'x'.repeat(20_000)}`);
  for (const text of [ok, `${ok}${interim}`, 'no HTTP\r\n\r\n', 'HTTP/1.', longHead, '\r\n\r\n']) {
    for (let at = 0; at <= Math.min(text.length, 60); at += 1) {
      const stream = new PassThrough();
      mendHeads(stream, createAllowance());
      const passed: Buffer[] = [];
      for (const piece of [text.slice(0, at), text.slice(at)]) {
        stream.write(piece, 'latin1');
        for (let read = stream.read() as Buffer | null; read !== null; read = stream.read() as null)
          passed.push(read);
      }
      const whole = Buffer.concat(passed).toString('latin1');
      // The beginning of a head waits for the rest.
      expect([at, whole]).toEqual([at, text === 'HTTP/1.' ? '' : text]);
    }
  }
});

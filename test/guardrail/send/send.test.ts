import { EventEmitter } from 'node:events';
import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import {
  failure,
  message,
  ok,
  sendTo,
  startReceiver,
  startTcp,
  status,
  success,
  testSender,
} from '../receiver.ts';

/** A sender to a receiver that answers so. */
async function setUp(...respond: Parameters<typeof startReceiver>) {
  const receiver = await startReceiver(...respond);
  const sender = testSender([receiver.origin]);
  const send = (path = '', body = message.body) =>
    sender.send({ ...message, url: receiver.origin + path, body });
  return { receiver, sender, send };
}

test('sends one POST with the path, query, headers and body as given', async () => {
  const { receiver, sender } = await setUp();
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'evt_1',
    'accept-encoding': 'identity',
  };
  const body = '{"a":"ä😀"}';
  const url = `${receiver.origin}/h%20k?a=1&b=ü`;
  expect(await sender.send({ url, headers, body })).toEqual(success);
  const given = {
    host: `127.0.0.1:${receiver.port}`,
    'content-length': String(Buffer.byteLength(body)),
  };
  expect(receiver.hits).toMatchObject([
    { url: '/h%20k?a=1&b=%C3%BC', body, headers: { ...headers, ...given } },
  ]);
});

test('sends 64 KiB whole', async () => {
  const { receiver, send } = await setUp();
  const body = 'x'.repeat(64 * 1024);
  await send('', body);
  expect(receiver.hits[0]?.body).toBe(body);
});

test.each([200, 201, 202, 204, 299])('counts the status %d as a success', async (code) => {
  const { send } = await setUp(status(code, { 'retry-after': '5' }));
  expect(await send()).toEqual({ ...success, httpStatus: code });
});

test.each([400, 401, 404, 410, 429, 500, 503, 599])('fails with the status %d', async (code) => {
  const { send } = await setUp(status(code));
  expect(await send()).toEqual(failure(`http_status: ${code}`, code));
});

test.each([300, 301, 302, 303, 304, 307, 308])('does not follow the redirect %d', async (code) => {
  const target = await startReceiver();
  const receiver = await startReceiver(status(code, { location: `${target.origin}/metadata` }));
  const sender = testSender([receiver.origin, target.origin]);
  expect(await sender.send({ ...message, url: receiver.origin })).toEqual(
    failure(`redirect_not_followed: ${code}`, code),
  );
  expect(receiver.hits).toHaveLength(1);
  expect(target.sockets.accepted).toBe(0);
});

test('returns the Retry-After of a failure, an hour at most', async () => {
  const later = new Date(Date.now() + 600_000).toUTCString();
  const { send } = await setUp((response, hit) => {
    const value = decodeURIComponent(hit.url?.slice(1) ?? '');
    status(503, { 'retry-after': value })(response, hit);
  });
  const wishes = [];
  for (const value of ['7', '86400', later, 'soon'])
    wishes.push((await send(`/${encodeURIComponent(value)}`)).retryAfter);
  expect(wishes).toEqual([
    { waitMs: 7000 },
    { waitMs: 3_600_000 },
    { untilMs: Date.parse(later) },
    null,
  ]);
});

// Unpacked, it would pass 16 KiB and cost its connection.
const bomb = gzipSync(Buffer.alloc(12 * 1024 * 1024));
test.each<[number, string, string | Buffer, string?]>([
  [1, 'of 16 KiB exactly', 'x'.repeat(16 * 1024)],
  [2, 'of 17 KiB', 'x'.repeat(17 * 1024)],
  [1, 'that is compressed, and not unpacked', bomb, 'gzip'],
  [1, 'that is no gzip', 'not gzip', 'gzip'],
])('opens %i connection(s) for two bodies %s', async (opened, _what, body, coding = 'identity') => {
  const headers = { 'content-encoding': coding };
  const { receiver, send } = await setUp((response) => response.writeHead(200, headers).end(body));
  expect([await send(), await send()]).toEqual([success, success]);
  expect(receiver.sockets.accepted).toBe(opened);
});

/** How many timers keep the process. */
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

test('rejects a header that cannot be sent', async () => {
  const { receiver, sender } = await setUp();
  const headers = { 'x-a': 'b\r\nhost: c' };
  const sending = sender.send({ url: receiver.origin, headers, body: '' });
  await expect(sending).rejects.toThrow('invalid x-a header');
  expect(receiver.hits).toHaveLength(0);
});

test('leaves no timer that keeps the process after a send', async () => {
  const { send } = await setUp();
  const before = timers();
  for (let count = 0; count < 10; count += 1) await send();
  expect(timers()).toBeLessThan(before + 5);
});

test('waits at its close for the sends under way, and leaves no connection', async () => {
  const gate = new EventEmitter();
  const { receiver, sender, send } = await setUp((response, hit) =>
    gate.once('open', () => ok(response, hit)),
  );
  const sending = send();
  await vi.waitFor(() => expect(receiver.hits).toHaveLength(1), 20_000);
  const closing = sender.close();
  gate.emit('open');
  expect(await sending).toEqual(success);
  await closing;
  await vi.waitFor(() => expect(receiver.sockets.open.size).toBe(0), 20_000);
  await expect(send()).rejects.toThrow('the sender is closed');
});

test.each([
  ['HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n', 304, 'redirect_not_followed: 304'],
  ['HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\nhello', 204, null],
])('decides by a status without a body, despite its Content-Length: %#', async (...row) => {
  const [response, httpStatus, errorSummary] = row;
  const receiver = await startTcp((socket) => socket.once('data', () => socket.write(response)));
  expect(await sendTo(receiver)).toMatchObject({ httpStatus, errorSummary });
});

const huge = 'hunter2'.repeat(9000);

test.each([
  [
    'HTTP/1.1 500 hunter2\r\nx-secret: hunter2\r\ncontent-length: 7\r\n\r\nhunter2',
    'http_status: 500',
  ],
  ['hunter2 hunter2 hunter2\r\n\r\n', 'connection_reset: INVALID_HTTP'],
  ['HTTP/1.1 200 OK\r\ncontent-length: hunter2\r\n\r\n', 'connection_reset: INVALID_HTTP'],
  ['HTTP/1.1 099 hunter2\r\ncontent-length: 0\r\n\r\n', 'connection_reset: INVALID_HTTP'],
  ['HTTP/1.1 000 hunter2\r\ncontent-length: 0\r\n\r\n', 'connection_reset: INVALID_HTTP'],
  ['HTTP/1.1 101 hunter2\r\n\r\n', 'connection_reset: INVALID_HTTP'],
  [`HTTP/1.1 200 OK\r\nhunter2: ${huge}\r\n\r\n`, 'connection_reset: ANSWER_TOO_LONG'],
  [
    'HTTP/1.1 101 hunter2\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    'connection_reset: UND_ERR_SOCKET',
  ],
  [
    'HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 418 hunter2\r\ncontent-length: 0\r\n\r\n',
    'http_status: 418',
  ],
])('repeats nothing of the receiver in a summary: %#', async (response, summary) => {
  const receiver = await startTcp((socket) => socket.once('data', () => socket.end(response)));
  expect(await sendTo(receiver)).toMatchObject({ succeeded: false, errorSummary: summary });
});

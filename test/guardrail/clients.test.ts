import { expect, onTestFinished, test, vi } from 'vitest';
import { createClients } from '../../guardrail/clients.ts';
import {
  loopbackSender,
  message,
  startReceiver,
  startTlsReceiver,
  testSender,
  urlOf,
} from './receiver.ts';
import { selfSigned } from './self-signed.ts';

const range = (count: number) => Array.from({ length: count }, (_item, index) => index);

test('sends 500 messages to one receiver, 50 at a time, over at most 50 connections', async () => {
  const tls = selfSigned(['vendor.example.org']);
  const receiver = await startTlsReceiver(tls);
  // The handshakes take seconds on a busy machine, and time is not what is judged here.
  const sender = loopbackSender(receiver.port, { ca: tls.cert, timeoutMs: 60_000 });
  const url = urlOf(receiver.port);
  const senders = range(50).map(async () => {
    for (const body of range(10)) {
      const sent = await sender.send({ ...message, url, body: String(body) });
      expect(sent).toMatchObject({ succeeded: true });
    }
  });
  await Promise.all(senders);
  expect(receiver.hits).toHaveLength(500);
  expect(receiver.sockets.accepted).toBeLessThanOrEqual(50);
});

test('delays no other message beside a slow one', async () => {
  const receiver = await startReceiver((response, { body }) =>
    body === 'slow' ? undefined : response.end(),
  );
  const sender = testSender([receiver.origin]);
  const slow = sender.send({ ...message, url: receiver.origin, body: 'slow', timeoutMs: 500 });
  await vi.waitFor(() => expect(receiver.hits).toHaveLength(1), 20_000);
  for (const body of ['1', '2', '3']) {
    const sent = await sender.send({ ...message, url: receiver.origin, body });
    expect(sent).toMatchObject({ succeeded: true });
  }
  expect(receiver.sockets.accepted).toBe(2);
  expect(await slow).toMatchObject({ succeeded: false });
});

const { signal } = new AbortController();
const nothing = async () => ({ value: null, isReusable: true });

/** `use` lends a client for a port without a connection; `touch` sends a request to `receiver`. */
async function newClients() {
  const receiver = await startReceiver();
  const clients = createClients({ timeoutMs: 1000 });
  onTestFinished(() => clients.close());
  const loopback = ['127.0.0.1'];
  return {
    receiver,
    use: (port: number, work = nothing) =>
      clients.use(`http://127.0.0.1:${port}`, loopback, signal, work),
    touch: (given = signal, work = nothing) =>
      clients.use(receiver.origin, loopback, given, async (client) => {
        const { body } = await client.request({ method: 'POST', path: '/' });
        await body.dump();
        return work();
      }),
    /** How many clients are idle, and the receiver's connections: those open, and all. */
    counts: () => [clients.idleCount, receiver.sockets.open.size, receiver.sockets.accepted],
  };
}

test('lends no client after the time limit, and keeps an idle one for its idle time', async () => {
  const { touch, counts } = await newClients();
  await touch();
  const work = vi.fn(nothing);
  await expect(touch(AbortSignal.abort(), work)).rejects.toThrow('aborted');
  expect(work).not.toHaveBeenCalled();
  expect(counts()).toEqual([1, 1, 1]);
  await vi.waitFor(() => expect(counts()).toEqual([0, 0, 1]), 4500);
});

test('closes the client that was idle longest of more than 256', async () => {
  const { receiver, use, touch, counts } = await newClients();
  await touch();
  for (const port of range(255)) await use(port + 1);
  // A client that is used again starts its idle time again.
  await touch();
  for (const port of range(255)) await use(port + 256);
  expect(counts()).toEqual([256, 1, 1]);
  await use(511);
  await vi.waitFor(() => expect(receiver.sockets.open.size).toBe(0), 20_000);
  expect(counts()).toEqual([256, 0, 1]);
});

test('keeps no client that failed or is not reusable', async () => {
  const { use, counts } = await newClients();
  await use(1, async () => ({ value: null, isReusable: false }));
  await expect(use(1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(counts()).toEqual([0, 0, 0]);
});

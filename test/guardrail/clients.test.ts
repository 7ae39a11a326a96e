import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createClients, type Clients } from '../../guardrail/clients.ts';
import { message, startReceiver, startTlsReceiver, testSender } from './receiver.ts';
import { selfSigned } from './self-signed.ts';

const range = (count: number) => Array.from({ length: count }, (_item, index) => index);

describe('a burst to one receiver', () => {
  test('500 messages, 50 at a time, share few connections', async () => {
    const tls = selfSigned(['vendor.example.org']);
    const receiver = await startTlsReceiver(tls);
    const sender = testSender([], {
      policy: { allowedPorts: [receiver.port], allowedOrigins: [] },
      resolve: async () => [{ address: '127.0.0.1' }],
      isForbidden: () => false,
      ca: tls.cert,
      // The handshakes take seconds on a busy machine, and time is not what is judged here.
      timeoutMs: 60_000,
    });
    const url = `https://vendor.example.org:${receiver.port}/`;
    const lanes = range(50).map(async () => {
      for (const body of range(10)) {
        expect(await sender.send({ ...message, url, body: String(body) })).toMatchObject({
          succeeded: true,
        });
      }
    });
    await Promise.all(lanes);
    expect(receiver.hits).toHaveLength(500);
    expect(receiver.sockets.accepted).toBeLessThanOrEqual(50);
  });

  test('one slow message does not hold the others up', async () => {
    const receiver = await startReceiver((response, { body }) =>
      body === 'slow' ? undefined : response.end(),
    );
    const sender = testSender([receiver.origin]);
    const slow = sender.send({ ...message, url: receiver.origin, body: 'slow', timeoutMs: 500 });
    await vi.waitFor(() => expect(receiver.hits).toHaveLength(1));
    for (const body of ['1', '2', '3']) {
      expect(await sender.send({ ...message, url: receiver.origin, body })).toMatchObject({
        succeeded: true,
      });
    }
    expect(receiver.sockets.accepted).toBe(2);
    expect(await slow).toMatchObject({ succeeded: false });
  });
});

test('a connection rests for a few seconds only', async () => {
  const receiver = await startReceiver();
  await testSender([receiver.origin]).send({ ...message, url: receiver.origin });
  expect(receiver.sockets.open.size).toBe(1);
  await vi.waitFor(() => expect(receiver.sockets.open.size).toBe(0), { timeout: 4500 });
});

const newClients = () => {
  const clients = createClients({ timeoutMs: 1000 });
  onTestFinished(() => clients.close());
  return clients;
};
const loopback = ['127.0.0.1'];
const { signal } = new AbortController();
const nothing = async () => ({ value: null, isReusable: true });
const touch = (clients: Clients, origin: string) =>
  clients.use(origin, loopback, signal, async (client) => {
    const { body } = await client.request({ method: 'POST', path: '/' });
    await body.dump();
    return { value: null, isReusable: true };
  });

test('who is late already is lent nothing, and a connection that rests is left alone', async () => {
  const receiver = await startReceiver();
  const clients = newClients();
  await touch(clients, receiver.origin);
  const work = vi.fn(nothing);
  await expect(clients.use(receiver.origin, loopback, AbortSignal.abort(), work)).rejects.toThrow(
    'aborted',
  );
  expect(work).not.toHaveBeenCalled();
  expect([clients.idleCount, receiver.sockets.open.size]).toEqual([1, 1]);
});

describe('resting clients', () => {
  test('beyond 256 the one that has rested longest is closed', async () => {
    const receiver = await startReceiver();
    const clients = newClients();
    await touch(clients, receiver.origin);
    for (const port of range(255))
      await clients.use(`http://127.0.0.1:${port + 1}`, loopback, signal, nothing);
    expect([clients.idleCount, receiver.sockets.open.size]).toEqual([256, 1]);
    await clients.use('http://127.0.0.1:256', loopback, signal, nothing);
    expect(clients.idleCount).toBe(256);
    await vi.waitFor(() => expect(receiver.sockets.open.size).toBe(0));
  });

  test('a client that is used again starts its idle time again', async () => {
    const receiver = await startReceiver();
    const clients = newClients();
    await touch(clients, receiver.origin);
    for (const port of range(255))
      await clients.use(`http://127.0.0.1:${port + 1}`, loopback, signal, nothing);
    await touch(clients, receiver.origin);
    await clients.use('http://127.0.0.1:256', loopback, signal, nothing);
    expect([clients.idleCount, receiver.sockets.open.size, receiver.sockets.accepted]).toEqual([
      256, 1, 1,
    ]);
  });

  test('one that failed or is not reusable rests not', async () => {
    const clients = newClients();
    await clients.use('http://127.0.0.1:1', loopback, signal, async () => ({
      value: null,
      isReusable: false,
    }));
    const failing = clients.use('http://127.0.0.1:1', loopback, signal, () =>
      Promise.reject(new Error('no')),
    );
    await expect(failing).rejects.toThrow('no');
    expect(clients.idleCount).toBe(0);
  });

  test('each is gone after a few seconds', async () => {
    const clients = newClients();
    await clients.use('http://127.0.0.1:1', loopback, signal, nothing);
    expect(clients.idleCount).toBe(1);
    await vi.waitFor(() => expect(clients.idleCount).toBe(0), { timeout: 4500 });
  });
});

import { once } from 'node:events';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { Worker } from 'node:worker_threads';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SenderLost } from '../../../guardrail/send/send.ts';
import { createThreadSender } from '../../../deliveries/sender/thread-sender.ts';
import { message, startReceiver, status } from '../../guardrail/receiver.ts';

function threadSender(
  origin: string,
  options: Partial<Parameters<typeof createThreadSender>[0]> = {},
) {
  const policy = { allowedPorts: [443], allowedOrigins: [origin] };
  const sender = createThreadSender({ policy, timeoutMs: 5000, ...options });
  onTestFinished(() => sender.close());
  return sender;
}

/** The threads that this one starts from here on. */
function watchThreads(): Worker[] {
  const threads: Worker[] = [];
  const onThread = (thread: Worker) => threads.push(thread);
  process.on('worker', onThread);
  onTestFinished(() => void process.off('worker', onThread));
  return threads;
}

test('returns the results and faults of the sender', async () => {
  const receiver = await startReceiver(status(503, { 'retry-after': '7' }));
  const sender = threadSender(receiver.origin);
  expect(await sender.send({ ...message, url: receiver.origin })).toEqual({
    succeeded: false,
    httpStatus: 503,
    errorSummary: 'http_status: 503',
    retryAfter: { waitMs: 7000 },
  });
  expect(receiver.hits).toMatchObject([message]);
  const badHeader = { url: receiver.origin, headers: { 'x-a': 'b\r\nhost: c' }, body: '' };
  await expect(sender.send(badHeader)).rejects.toThrow('invalid x-a header');
  expect(await sender.send({ ...message, url: 'https://127.0.0.1/' })).toMatchObject({
    succeeded: false,
    errorSummary: expect.stringMatching(/^destination_blocked: /),
  });
});

test('opens no socket of a receiver on the caller’s event loop', async () => {
  const receiver = await startReceiver();
  // Other files of this process may leave clients that connect again.
  const ports: (number | undefined)[] = [];
  const onSocket = (event: unknown): void => {
    const { socket } = event as { readonly socket: Socket };
    socket.once('connect', () => ports.push(socket.remotePort));
  };
  subscribe('net.client.socket', onSocket);
  onTestFinished(() => void unsubscribe('net.client.socket', onSocket));
  const sender = threadSender(receiver.origin);
  const sends = Array.from({ length: 20 }, () => sender.send({ ...message, url: receiver.origin }));
  expect((await Promise.all(sends)).every(({ succeeded }) => succeeded)).toBe(true);
  expect(receiver.hits).toHaveLength(20);
  expect(ports).not.toContain(Number(new URL(receiver.origin).port));
});

/** A receiver that does not answer the body `hold`. */
const startHolding = () =>
  startReceiver((response, { body }) => (body === 'hold' ? undefined : response.end()));

test('says that sends have begun once its thread has them', async () => {
  const receiver = await startHolding();
  const threads = watchThreads();
  const sender = threadSender(receiver.origin, { timeoutMs: 1000 });
  await sender.untilBegun?.();
  const held = sender.send({ ...message, url: receiver.origin, body: 'hold' });
  const onBegun = vi.fn();
  const begun = sender.untilBegun?.().then(onBegun);
  // No message of a thread arrives in the turn of its start.
  await setImmediate();
  expect(onBegun).not.toHaveBeenCalled();
  await begun;
  expect(await held).toMatchObject({ succeeded: false });
  await threads[0]?.terminate();
  await sender.untilBegun?.();
});

test('rejects the sends of a thread that ends, and starts another for the next one', async () => {
  const receiver = await startHolding();
  const threads = watchThreads();
  const onLost = vi.fn();
  const sender = threadSender(receiver.origin, { onLost });
  const held = sender.send({ ...message, url: receiver.origin, body: 'hold' });
  const lost = expect(held).rejects.toBeInstanceOf(SenderLost);
  await vi.waitFor(() => expect(receiver.hits).toHaveLength(1), 10_000);
  await threads[0]?.terminate();
  await lost;
  const next = await sender.send({ ...message, url: receiver.origin });
  expect(next).toMatchObject({ succeeded: true });
  expect(threads).toHaveLength(2);
  onLost.mockClear();
  threads[1]?.emit('error', new Error('out of memory'));
  expect(onLost).toHaveBeenCalledOnce();
});

test('ends a thread that exceeds a send’s limit, and starts another for the next one', async () => {
  const onLost = vi.fn();
  const threads = watchThreads();
  const receiver = await startHolding();
  // Overdue 4.9 s before its limit: the thread counts as hanging while it waits for the receiver.
  const sender = threadSender(receiver.origin, { onLost, overdueMs: -4900 });
  const held = sender.send({ ...message, url: receiver.origin, body: 'hold' });
  await expect(held).rejects.toBeInstanceOf(SenderLost);
  expect(onLost).toHaveBeenCalledOnce();
  // The next thread has time to start.
  const next = { ...message, url: receiver.origin, timeoutMs: 60_000 };
  expect(await sender.send(next)).toMatchObject({ succeeded: true });
  expect(threads).toHaveLength(2);
});

test('waits at its close for the sends under way, and ends the thread', async () => {
  const threads = watchThreads();
  const receiver = await startReceiver((response) => setTimeout(() => response.end(), 50));
  const sender = threadSender(receiver.origin);
  const sending = sender.send({ ...message, url: receiver.origin });
  await vi.waitFor(() => expect(threads).toHaveLength(1), 10_000);
  const ended = once(threads[0] as Worker, 'exit');
  await sender.close();
  expect(await sending).toMatchObject({ succeeded: true });
  await ended;
  await expect(sender.send({ ...message, url: receiver.origin })).rejects.toThrow(
    'the sender is closed',
  );
});

import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

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
export async function startFrozen(): Promise<number> {
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
export async function fillQueue(port: number): Promise<void> {
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

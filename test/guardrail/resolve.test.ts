import { EventEmitter, once } from 'node:events';
import { expect, test } from 'vitest';
import { lookUp, systemResolve, type Resolve } from '../../guardrail/resolve.ts';
import { answering } from './receiver.ts';

const failing =
  (error: unknown): Resolve =>
  async () => {
    throw error;
  };
const withCode = (code: unknown) => Object.assign(new Error('10.0.0.1 refused'), { code });
const look = (resolve: Resolve, timeoutMs = 2000) =>
  lookUp('vendor.example.org', { resolve, timeoutMs });

test('returns public addresses in the resolver’s order', async () => {
  const addresses = ['2606:4700:4700::1111', '8.8.8.8', '1.1.1.1'];
  expect(await look(answering(...addresses))).toEqual({ kind: 'addresses', addresses });
});

// Which address is forbidden has its cases in `address.test.ts`.
test.each([
  '127.0.0.1',
  '8.8.8.8 10.0.0.1',
  '10.0.0.1 8.8.8.8',
  '8.8.8.8 2606:4700:4700::1111 ::ffff:8.8.8.8',
  '',
])('forbids all of an answer with one forbidden address: %s', async (addresses) => {
  expect(await look(answering(...addresses.split(' ')))).toEqual({ kind: 'forbidden' });
});

test.each<[string, Resolve]>([
  ['ENOTFOUND', failing(withCode('ENOTFOUND'))],
  ['EAI_FAIL', failing(new Error('10.0.0.1'))],
  ['EAI_FAIL', failing(withCode(7))],
  ['EAI_FAIL', failing('a string')],
  ['ENODATA', answering()],
  [
    'ESERVFAIL',
    () => {
      throw withCode('ESERVFAIL');
    },
  ],
])('names the code of a failure, and never its message: %s (%#)', async (reason, resolve) => {
  expect(await look(resolve)).toEqual({ kind: 'none', reason });
});

test('ends at the time limit, and causes no unhandled error later', async () => {
  const gate = new EventEmitter();
  let given: AbortSignal | undefined;
  const resolve: Resolve = async (_hostname, signal) => {
    given = signal;
    await once(gate, 'open');
    throw withCode('ENOTFOUND');
  };
  expect(await look(resolve, 10)).toEqual({ kind: 'none', reason: 'timeout' });
  expect(given?.aborted).toBe(true);
  gate.emit('open');
  await new Promise(setImmediate);
});

test('shares a call of the system’s resolver between concurrent callers only', async () => {
  const { signal } = new AbortController();
  const first = systemResolve('localhost', signal);
  expect(systemResolve('localhost', signal)).toBe(first);
  const addresses = (await first).map(({ address }) => address);
  expect(addresses.length).toBeGreaterThan(0);
  expect(addresses.every((address) => ['127.0.0.1', '::1'].includes(address))).toBe(true);
  expect(systemResolve('localhost', signal)).not.toBe(first);
});

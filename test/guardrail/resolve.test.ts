import { EventEmitter, once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { lookUp, systemResolve, type Resolve } from '../../guardrail/resolve.ts';

const answering =
  (...addresses: readonly string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const failing =
  (error: unknown): Resolve =>
  async () => {
    throw error;
  };
const withCode = (code: unknown) => Object.assign(new Error('10.0.0.1 refused'), { code });
const look = (resolve: Resolve, timeoutMs = 2000) =>
  lookUp('vendor.example.org', { resolve, timeoutMs });

// Which address is forbidden has its cases in `address.test.ts`.

describe('lookUp', () => {
  test('answers public addresses in the resolver’s order', async () => {
    const addresses = ['2606:4700:4700::1111', '8.8.8.8', '1.1.1.1'];
    expect(await look(answering(...addresses))).toEqual({ kind: 'addresses', addresses });
  });

  test.each([
    [['127.0.0.1']],
    [['8.8.8.8', '10.0.0.1']],
    [['10.0.0.1', '8.8.8.8']],
    [['8.8.8.8', '::1']],
    [['8.8.8.8', '2606:4700:4700::1111', '169.254.169.254']],
    [['::ffff:8.8.8.8']],
    [['fe80::1%eth0']],
    [['']],
    [['vendor.example.org']],
  ])('one forbidden answer makes all of it forbidden: %j', async (addresses) => {
    expect(await look(answering(...addresses))).toEqual({ kind: 'forbidden' });
  });

  test('no answer is `none`, with the code as its reason and never the message', async () => {
    expect(await look(failing(withCode('ENOTFOUND')))).toEqual({
      kind: 'none',
      reason: 'ENOTFOUND',
    });
    expect(await look(failing(new Error('10.0.0.1')))).toEqual({
      kind: 'none',
      reason: 'EAI_FAIL',
    });
    expect(await look(failing(withCode(7)))).toEqual({ kind: 'none', reason: 'EAI_FAIL' });
    expect(await look(failing('a string'))).toEqual({ kind: 'none', reason: 'EAI_FAIL' });
    expect(await look(answering())).toEqual({ kind: 'none', reason: 'ENODATA' });
    const throwing: Resolve = () => {
      throw withCode('ESERVFAIL');
    };
    expect(await look(throwing)).toEqual({ kind: 'none', reason: 'ESERVFAIL' });
  });

  test('a resolver that never answers times out with an error', async () => {
    let given: AbortSignal | undefined;
    const resolve: Resolve = (_hostname, signal) => {
      given = signal;
      return new Promise(() => undefined);
    };
    expect(await look(resolve, 30)).toEqual({ kind: 'none', reason: 'timeout' });
    expect(given?.aborted).toBe(true);
  });

  test('a resolver that fails after its timeout causes no unhandled error', async () => {
    const gate = new EventEmitter();
    const resolve: Resolve = async () => {
      await once(gate, 'open');
      throw withCode('ENOTFOUND');
    };
    expect(await look(resolve, 10)).toEqual({ kind: 'none', reason: 'timeout' });
    gate.emit('open');
    await new Promise(setImmediate);
  });
});

describe('systemResolve', () => {
  const { signal } = new AbortController();

  test('asks the operating system for every address', async () => {
    const addresses = (await systemResolve('localhost', signal)).map(({ address }) => address);
    expect(addresses.every((address) => ['127.0.0.1', '::1'].includes(address))).toBe(true);
    expect(addresses.length).toBeGreaterThan(0);
  });

  test('callers at the same time share one call, later ones get one of their own', async () => {
    const first = systemResolve('localhost', signal);
    expect(systemResolve('localhost', signal)).toBe(first);
    await first;
    expect(systemResolve('localhost', signal)).not.toBe(first);
  });
});

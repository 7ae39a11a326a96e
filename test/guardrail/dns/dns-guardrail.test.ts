import dnsPromises from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { checkDestination } from '../../../guardrail/check-destination.ts';
import { createDnsResolve } from '../../../guardrail/dns.ts';
import { startFakeDns, type Reply } from './fake-dns.ts';
import { message, startReceiver, startTlsReceiver, testSender } from '../receiver.ts';
import { selfSigned } from '../self-signed.ts';

/** The machine's name servers, for a resolver that names none of its own: not the real ones. */
const machine = { servers: ['127.0.0.1:1'] as readonly string[] };
const { Resolver } = dnsPromises;
beforeAll(() => {
  dnsPromises.Resolver = class extends Resolver {
    constructor(...options: ConstructorParameters<typeof Resolver>) {
      super(...options);
      this.setServers(machine.servers);
    }
  };
  syncBuiltinESMExports();
});
afterAll(() => {
  dnsPromises.Resolver = Resolver;
  syncBuiltinESMExports();
});
beforeEach(() => {
  machine.servers = ['127.0.0.1:1'];
});

const refused = {
  kind: 'refused',
  reason: 'the host name has an address that is not public',
  localOrigin: 'https://vendor.example.org',
};
const blocked = {
  errorSummary: 'destination_blocked: the host name has an address that is not public',
};
const url = 'https://vendor.example.org/';
const policy = { allowedPorts: [443], allowedOrigins: [] };

const mixed: readonly (readonly [Reply, Reply])[] = [
  [['8.8.8.8', '10.0.0.1'], []],
  [['8.8.8.8'], ['::1']],
  [['169.254.169.254'], ['2606:4700:4700::1111']],
  [[], ['2606:4700:4700::1111', 'fd00:ec2::254']],
  [['8.8.8.8'], ['::ffff:7f00:1']],
  [['127.0.0.1'], 'silence'],
  ['SERVFAIL', ['::1']],
];

describe('what a real name server answers', () => {
  test.each(mixed)(
    'with %j and %j it is refused when given, and blocked at a send',
    async (four, six) => {
      const dns = await startFakeDns((_name, family) => (family === 'A' ? four : six));
      const resolve = createDnsResolve(dns);
      expect(await checkDestination(url, { policy, resolve, timeoutMs: 2000 })).toEqual(refused);
      expect(await testSender([], { resolve }).send({ ...message, url })).toMatchObject(blocked);
    },
  );

  test('a name that is public when given and private at the attempt is blocked there', async () => {
    const tls = selfSigned(['vendor.example.org']);
    const receiver = await startTlsReceiver(tls);
    const here = `https://vendor.example.org:${receiver.port}/`;
    const given = { policy: { allowedPorts: [receiver.port], allowedOrigins: [] } };
    let answer = '8.8.8.8';
    const dns = await startFakeDns((_name, family) => (family === 'A' ? [answer] : []), {
      ttlSeconds: 0,
    });
    const resolve = createDnsResolve(dns);
    expect(await checkDestination(here, { ...given, resolve, timeoutMs: 2000 })).toMatchObject({
      kind: 'allowed',
    });
    answer = '127.0.0.1';
    const sender = testSender([], { ...given, resolve, ca: tls.cert });
    expect(await sender.send({ ...message, url: here })).toMatchObject(blocked);
    expect(receiver.sockets.accepted).toBe(0);
    expect(dns.asked).toHaveLength(4);
  });

  test('a silent name server delays no other send, and its own only until it answers', async () => {
    const tls = selfSigned(['vendor.example.org', 'shy.example.org']);
    const receiver = await startTlsReceiver(tls);
    let isShy = true;
    const dns = await startFakeDns((name, family) =>
      name.startsWith('shy') && isShy ? 'silence' : family === 'A' ? ['127.0.0.1'] : [],
    );
    const sender = testSender([], {
      policy: { allowedPorts: [receiver.port], allowedOrigins: [] },
      resolve: createDnsResolve(dns),
      isForbidden: () => false,
      ca: tls.cert,
      timeoutMs: 60_000,
    });
    const order: string[] = [];
    const send = async (name: string) => {
      const target = `https://${name}.example.org:${receiver.port}/`;
      const { succeeded } = await sender.send({ ...message, url: target });
      order.push(`${name} ${succeeded}`);
    };
    const shy = send('shy');
    await vi.waitFor(() => expect(dns.asked.length).toBeGreaterThan(0));
    await send('vendor');
    await send('vendor');
    isShy = false;
    await shy;
    expect(order).toEqual(['vendor true', 'vendor true', 'shy true']);
  });

  test('a name server that stays silent is a send’s time-out', async () => {
    const resolve = createDnsResolve(await startFakeDns(() => 'silence'));
    expect(
      await testSender([], { resolve }).send({ ...message, url, timeoutMs: 100 }),
    ).toMatchObject({
      errorSummary: 'timeout: no complete answer within 100 ms',
    });
  });
});

describe('by default', () => {
  test('names are asked of DNS itself, when given and at a send', async () => {
    const dns = await startFakeDns((_name, family) => (family === 'A' ? ['127.0.0.1'] : []));
    machine.servers = dns.servers;
    expect(await checkDestination(url, { policy, timeoutMs: 2000 })).toEqual(refused);
    expect(dns.asked).toHaveLength(2);
    expect(await testSender([]).send({ ...message, url })).toMatchObject(blocked);
    expect(dns.asked).toHaveLength(4);
  });

  test('an exempt origin’s name is asked of the operating system', async () => {
    const dns = await startFakeDns(() => 'NXDOMAIN');
    machine.servers = dns.servers;
    const receiver = await startReceiver();
    const origin = `http://localhost:${receiver.port}`;
    expect(await testSender([origin]).send({ ...message, url: origin })).toMatchObject({
      succeeded: true,
    });
    expect([receiver.hits.length, dns.asked]).toEqual([1, []]);
  });
});

import dnsPromises from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkDestination } from '../../../guardrail/check-destination.ts';
import { createDnsResolve } from '../../../guardrail/dns.ts';
import { startFakeDns, type Reply } from './fake-dns.ts';
import { message, sendTo, startReceiver, testSender } from '../receiver.ts';

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

test.each<[Reply, Reply]>([
  [['8.8.8.8', '10.0.0.1'], []],
  [[], ['2606:4700:4700::1111', 'fd00:ec2::254']],
  [['127.0.0.1'], 'silence'],
  ['SERVFAIL', ['::1']],
])(
  'refuses a URL whose name has the answers %j and %j, and blocks it at a send',
  async (...replies) => {
    const dns = await startFakeDns((_name, family) => replies[family === 'A' ? 0 : 1]);
    const resolve = createDnsResolve(dns);
    expect(await checkDestination(url, { policy, resolve, timeoutMs: 60_000 })).toEqual(refused);
    expect(await testSender([], { resolve }).send({ ...message, url })).toMatchObject(blocked);
  },
);

test('asks DNS itself for names by default, at the check of a URL and at a send', async () => {
  const dns = await startFakeDns((_name, family) => (family === 'A' ? ['127.0.0.1'] : []));
  machine.servers = dns.servers;
  expect(await checkDestination(url, { policy, timeoutMs: 60_000 })).toEqual(refused);
  expect(dns.asked).toHaveLength(2);
  expect(await testSender([]).send({ ...message, url })).toMatchObject(blocked);
  expect(dns.asked).toHaveLength(4);
});

test('asks the operating system for the name of an exempt origin by default', async () => {
  const dns = await startFakeDns(() => 'NXDOMAIN');
  machine.servers = dns.servers;
  const { port, hits } = await startReceiver();
  expect(await sendTo({ origin: `http://localhost:${port}` })).toMatchObject({ succeeded: true });
  expect([hits.length, dns.asked]).toEqual([1, []]);
});

import { setMaxListeners } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { createDnsResolve } from '../../../guardrail/dns.ts';
import { lookUp } from '../../../guardrail/resolve.ts';
import { startFakeDns, type Reply, type Zone } from './fake-dns.ts';

const host = 'vendor.example.org';
const { signal } = new AbortController();
const range = (count: number) => Array.from({ length: count }, (_item, index) => index);

/** A server for which the families of every name answer so. */
const serverOf = (four: Reply, six: Reply) =>
  startFakeDns((_name, family) => (family === 'A' ? four : six));

async function addressesOf(four: Reply, six: Reply): Promise<readonly string[]> {
  const resolve = createDnsResolve(await serverOf(four, six));
  return (await resolve(host, signal)).map(({ address }) => address);
}
/** A server that is silent until `speak`. */
async function startShy() {
  let isShy = true;
  const zone: Zone = (_name, family) => (isShy ? 'silence' : family === 'A' ? ['8.8.8.8'] : []);
  return { dns: await startFakeDns(zone), speak: () => (isShy = false) };
}

test('asks for both families once each, by the unchanged name', async () => {
  const dns = await serverOf(['8.8.8.8'], ['2606:4700:4700::1111']);
  await createDnsResolve(dns)(host, signal);
  expect(dns.asked.toSorted((a, b) => a.family.length - b.family.length)).toEqual([
    { name: host, family: 'A', transport: 'udp' },
    { name: host, family: 'AAAA', transport: 'udp' },
  ]);
});

test('alternates the families, IPv4 first, so that the connector tries both', async () => {
  const four = ['8.8.8.8', '1.1.1.1', '9.9.9.9'];
  const six = ['2606:4700:4700::1111', '2606:4700:4700::1001'];
  const addresses = await addressesOf(four, six);
  const families = addresses.map((address) => (address.includes(':') ? 6 : 4));
  expect(families).toEqual([4, 6, 4, 6, 4]);
  expect(addresses.toSorted()).toEqual([...four, ...six].toSorted());
});

test.each<[Reply]>([[[]], ['NXDOMAIN'], ['SERVFAIL'], ['silence']])(
  'leaves out a family that answers %j if the other has addresses',
  async (reply) => {
    expect(await addressesOf(['8.8.8.8'], reply)).toEqual(['8.8.8.8']);
    expect(await addressesOf(reply, ['2606:4700:4700::1111'])).toEqual(['2606:4700:4700::1111']);
  },
);

test.each<[Reply, Reply, string]>([
  ['NXDOMAIN', 'NXDOMAIN', 'ENOTFOUND'],
  [[], [], 'ENODATA'],
  [[], 'SERVFAIL', 'ESERVFAIL'],
  ['SERVFAIL', [], 'ESERVFAIL'],
  ['NXDOMAIN', 'SERVFAIL', 'ESERVFAIL'],
])('reports %j and %j without an address as %s', async (four, six, code) => {
  await expect(addressesOf(four, six)).rejects.toMatchObject({ code });
});

test('sends a lost packet again', async () => {
  const dns = await startFakeDns((_name, _family, count) =>
    count === 0 ? 'silence' : ['8.8.8.8'],
  );
  expect(await createDnsResolve(dns)(host, signal)).toContainEqual({ address: '8.8.8.8' });
});

test('asks over TCP for a truncated answer', async () => {
  const many = range(100).map((index) => `8.8.${index}.8`);
  const zone: Zone = (_name, family) => (family === 'A' ? many : []);
  const dns = await startFakeDns(zone, { truncates: true });
  const answers = await createDnsResolve(dns)(host, signal);
  expect(answers.map(({ address }) => address).toSorted()).toEqual(many.toSorted());
  expect(dns.asked).toContainEqual({ name: host, family: 'A', transport: 'tcp' });
});

test('ignores the hosts file', async () => {
  const dns = await serverOf(['8.8.8.8'], []);
  expect(await createDnsResolve(dns)('localhost', signal)).toEqual([{ address: '8.8.8.8' }]);
});

test('reports a closed name-server port with its code', async () => {
  const resolve = createDnsResolve({ servers: ['127.0.0.1:1'] });
  await expect(resolve(host, signal)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('shares a question among concurrent callers, and caches no answer of any TTL', async () => {
  const dns = await serverOf(['8.8.8.8'], []);
  const resolve = createDnsResolve(dns);
  await Promise.all(range(20).map(() => resolve(host, new AbortController().signal)));
  expect(dns.asked).toHaveLength(2);
  await resolve(host, signal);
  expect(dns.asked).toHaveLength(4);
});

test('continues the question for other callers when one leaves', async () => {
  const { dns, speak } = await startShy();
  const resolve = createDnsResolve(dns);
  const [leaving, staying] = [new AbortController(), new AbortController()];
  const left = resolve(host, leaving.signal);
  const stayed = resolve(host, staying.signal);
  await vi.waitFor(() => expect(dns.asked).toHaveLength(2), 20_000);
  leaving.abort();
  speak();
  expect(await stayed).toEqual([{ address: '8.8.8.8' }]);
  expect(await left).toEqual([{ address: '8.8.8.8' }]);
});

test('cancels the question when the last caller leaves, and asks again for the next', async () => {
  const { dns, speak } = await startShy();
  const resolve = createDnsResolve(dns);
  const goers = [new AbortController(), new AbortController()];
  const left = goers.map((goer) => resolve(host, goer.signal));
  await vi.waitFor(() => expect(dns.asked).toHaveLength(2), 20_000);
  for (const goer of goers) goer.abort();
  speak();
  const next = resolve(host, signal);
  for (const one of left) await expect(one).rejects.toMatchObject({ code: 'ECANCELLED' });
  expect(await next).toEqual([{ address: '8.8.8.8' }]);
});

test('asks nothing for a caller that has already left', async () => {
  const dns = await serverOf(['8.8.8.8'], []);
  await expect(createDnsResolve(dns)(host, AbortSignal.abort())).rejects.toThrow();
  expect(dns.asked).toEqual([]);
});

test('delays no other look-up and no file access beside 100 names without an answer', async () => {
  const dns = await startFakeDns((name, family) =>
    name.startsWith('hang') ? 'silence' : family === 'A' ? ['8.8.8.8'] : [],
  );
  const resolve = createDnsResolve(dns);
  const order: string[] = [];
  const end = new AbortController();
  const hang = async (hostname: string) => {
    const goer = new AbortController();
    end.signal.addEventListener('abort', () => goer.abort());
    await resolve(hostname, goer.signal).catch(() => order.push('hanging'));
  };
  setMaxListeners(100, end.signal);
  const hanging = range(100).map((index) => hang(`hang${index}.example.org`));
  await vi.waitFor(() => expect(new Set(dns.asked.map(({ name }) => name)).size).toBe(100), 20_000);
  for (const found of await Promise.all(
    range(20).map((index) => lookUp(`quick${index}.example.org`, { resolve, timeoutMs: 60_000 })),
  ))
    order.push(found.kind);
  await readFile(fileURLToPath(import.meta.url));
  order.push('file');
  end.abort();
  await Promise.all(hanging);
  expect(order).toEqual([
    ...range(20).map(() => 'addresses'),
    'file',
    ...range(100).map(() => 'hanging'),
  ]);
});

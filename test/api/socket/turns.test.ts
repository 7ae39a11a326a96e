import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import Fastify, { type FastifyRequest } from 'fastify';
import { expect, test, vi } from 'vitest';
import { addressOf, nameAddresses, trustedBy } from '../../../api/auth/addresses.ts';
import { networkOf } from '../../../api/auth/limit-by-address.ts';
import { senderBy } from '../../../api/socket/sender.ts';
import { createTokens } from '../../../api/auth/tokens.ts';
import { bodyPieces } from '../../../api/socket/body-bytes.ts';
import { beginMax } from '../../../api/socket/connections.ts';
import { createTurns } from '../../../api/socket/turns.ts';
import { fixedRing, generatePrivateKey } from '../../../security/key-ring.ts';

/** A caller's requests and large bodies delay no other caller's calls (D153, D170). */

const requestOf = (authorization: string, remoteAddress = '192.0.2.1', forwarded?: string) =>
  ({
    headers: { authorization, 'x-forwarded-for': forwarded },
    socket: { remoteAddress },
  }) as unknown as IncomingMessage;

function startOrder() {
  const begin = createTurns(beginMax);
  const begun: string[] = [];
  const arrive = (sender: string, count: number): void => {
    for (let n = 1; n <= count; n += 1) begin(sender, () => begun.push(`${sender} ${n}`));
  };
  return { begun, arrive };
}

test('begins the requests of a sender in order of arrival, eight before each pause', async () => {
  const { begun, arrive } = startOrder();
  arrive('a', 20);
  expect(begun).toHaveLength(8);
  await setImmediate();
  expect(begun).toHaveLength(16);
  await vi.waitFor(() => expect(begun).toHaveLength(20), 20_000);
  expect(begun).toEqual(Array.from({ length: 20 }, (_, index) => `a ${index + 1}`));
});

test('begins requests of each sender in turn during a flood by one of them', async () => {
  const { begun, arrive } = startOrder();
  arrive('a', 1000);
  arrive('b', 10);
  arrive('c', 1);
  expect(begun.slice(8)).toEqual([...Array.from({ length: 8 }, (_, n) => `b ${n + 1}`), 'c 1']);
  await setImmediate();
  expect(begun.slice(17, 22)).toEqual(['a 9', 'b 9', 'a 10', 'b 10', 'a 11']);
});

test('begins 64 requests of all senders before each pause', async () => {
  const { begun, arrive } = startOrder();
  for (let sender = 0; sender < 100; sender += 1) arrive(`sender ${sender}`, 1);
  expect(begun).toHaveLength(64);
  await vi.waitFor(() => expect(begun).toHaveLength(100), 20_000);
});

test('begins requests at once, before and after a flood', async () => {
  const { begun, arrive } = startOrder();
  arrive('a', 1);
  expect(begun).toEqual(['a 1']);
  arrive('a', 99);
  await vi.waitFor(() => expect(begun).toHaveLength(100), 20_000);
  await setImmediate();
  arrive('b', 1);
  expect(begun.at(-1)).toBe('b 1');
});

const kibibyte = 1024;

/** Reads a body of pieces of one length, which a sender of this address has sent. */
async function readBody(
  ip: string,
  { pieceBytes, pieces }: { readonly pieceBytes: number; readonly pieces: number },
  onPiece: () => void,
): Promise<void> {
  const request = { ip, caller: null, headers: {}, routeOptions: { bodyLimit: 2 ** 20 } };
  const body = Array.from({ length: pieces }, () => Buffer.alloc(pieceBytes));
  const read = bodyPieces(request as unknown as FastifyRequest, Readable.from(body));
  for await (const _piece of read) onPiece();
}

test('reads one piece of all bodies of a sender in a turn, and one of each other', async () => {
  const read: string[] = [];
  const begin = (ip: string, name: string) =>
    readBody(ip, { pieceBytes: 17 * kibibyte, pieces: 2 }, () => read.push(name));
  const bodies = [
    begin('192.0.2.1', 'a 1'),
    begin('192.0.2.1', 'a 2'),
    begin('192.0.2.1', 'a 3'),
    begin('192.0.2.2', 'b 1'),
  ];
  const turns: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    await setImmediate();
    turns.push(read.length);
  }
  await Promise.all(bodies);
  // No turn precedes the first piece of a body.
  expect(read).toEqual(['a 1', 'a 2', 'a 3', 'b 1', 'a 1', 'b 1', 'a 2', 'a 3']);
  expect(turns).toEqual([6, 7, 8]);
});

test('reads the first 16 KiB of a body without a turn', async () => {
  const read: string[] = [];
  const large = readBody('192.0.2.3', { pieceBytes: 17 * kibibyte, pieces: 3 }, () =>
    read.push('large'),
  );
  const small = readBody('192.0.2.3', { pieceBytes: 4 * kibibyte, pieces: 4 }, () =>
    read.push('small'),
  );
  await Promise.all([large, small]);
  expect(read.lastIndexOf('small')).toBeLessThan(read.lastIndexOf('large'));
});

const ring = fixedRing({ signingKey: generatePrivateKey() });
const tokens = createTokens({ issuer: 'test', environment: 'Sandbox', ring: () => ring });
const tokenOf = (vendorId: string) => {
  const environment = 'Sandbox';
  const credential = { id: randomUUID(), clientId: 'vc_1', vendorId, environment } as const;
  return tokens.issueVendorToken({ ...credential, capabilities: ['Offers'] });
};
const trustProxy = ['10.0.0.0/8', '127.0.0.1'];
const isTrusted = trustedBy(trustProxy);
const sender = senderBy(tokens, (request) => addressOf(request, isTrusted));

test.for([
  ['192.0.2.1', '198.51.100.7', '192.0.2.1'],
  ['10.1.2.3', '198.51.100.7', '198.51.100.7'],
  ['::ffff:10.1.2.3', '203.0.113.5, 198.51.100.7, 127.0.0.1', '198.51.100.7'],
  ['127.0.0.1', '2001:db8:1:2:3::4', '2001:db8:1:2::/64'],
  ['127.0.0.1', 'unknown', '127.0.0.1'],
  ['127.0.0.1', 'a, 198.51.100.7, unknown', '127.0.0.1'],
  ['127.0.0.1', 'unknown, 10.0.0.9', '10.0.0.9'],
  ['127.0.0.1', '198.51.100.7:40001', '198.51.100.7'],
  ['127.0.0.1', '198.51.100.7:40001, 10.0.0.9:443', '198.51.100.7'],
  ['127.0.0.1', '[2001:DB8:1:2:3::4]:40001', '2001:db8:1:2::/64'],
  ['127.0.0.1', '[2001:db8:1:2:3::4%eth0]', '2001:db8:1:2::/64'],
  ['127.0.0.1', '::FFFF:198.51.100.7', '198.51.100.7'],
  ['127.0.0.1', '::ffff:c633:6407', '198.51.100.7'],
  ['127.0.0.1', '0:0:0:0:0:ffff:198.51.100.7', '198.51.100.7'],
  ['127.0.0.1', '198.51.100.7:a', '127.0.0.1'],
  ['127.0.0.1', '[198.51.100.7]:1', '127.0.0.1'],
  ['127.0.0.1', '10.0.0.9, 10.0.0.8', '10.0.0.9'],
  ['127.0.0.1', '', '127.0.0.1'],
] as const)(
  'counts a request from %s, forwarded for %s, as one of %s (TRUST_PROXY)',
  async ([remoteAddress, forwarded, address]) => {
    const headers = { 'x-forwarded-for': forwarded };
    expect(sender(requestOf('', remoteAddress, forwarded))).toBe(address);
    // As all later counts of the request see it.
    const app = Fastify({ trustProxy: isTrusted }).get('/', ({ ip }) => networkOf(ip));
    nameAddresses(app, isTrusted);
    const response = await app.inject({ url: '/', headers, remoteAddress });
    expect(response.body).toBe(address);
  },
);

test('counts all verified tokens of a vendor together, and others by their network', () => {
  const vendorId = randomUUID();
  const [one, two, unverified] = [tokenOf(vendorId), tokenOf(vendorId), tokenOf(vendorId)];
  for (const token of [one, two]) tokens.verify(token);
  expect(sender(requestOf(`bearer  ${one} `))).toBe(vendorId);
  expect(sender(requestOf(`Bearer ${two}`, '192.0.2.2'))).toBe(vendorId);
  for (const text of ['', 'Basic 1', 'Bearer', 'Bearer 1', 'Bearer 2', `Bearer ${unverified}`])
    for (const address of ['192.0.2.1', '192.0.2.2'])
      expect(sender(requestOf(text, address))).toBe(address);
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forbiddenIPv4, forbiddenIPv6, isForbiddenAddress } from '../../guardrail/address.ts';
import { ipv4Of, ipv6Of, isForbiddenNumber, ranges4, ranges6 } from './address-oracle.ts';

const expectJudged = (address: string, isForbidden: boolean) =>
  expect({ address, isForbidden: isForbiddenAddress(address) }).toEqual({ address, isForbidden });

/** The ends of a range, its middle, and its neighbours as far as they exist. */
const samplesOf = ([first, last]: readonly [bigint, bigint], bits: bigint) =>
  [first - 1n, first, (first + last) / 2n, last, last + 1n].filter(
    (value) => value >= 0n && value < 1n << bits,
  );

test('the lists are as long as the oracle’s, which has 224.0.0.0/4 and 240.0.0.0/4 as one', () => {
  expect(forbiddenIPv4).toHaveLength(ranges4.length + 1);
  // The oracle has two more for what is not 2000::/3.
  expect(forbiddenIPv6).toHaveLength(ranges6.length - 2);
});

describe('IPv4', () => {
  test.each(ranges4.map((range) => [ipv4Of(range[0]), ipv4Of(range[1]), range] as const))(
    '%s to %s is forbidden, and its neighbours only if in another range',
    (_first, _last, range) => {
      for (const value of samplesOf(range, 32n))
        expectJudged(ipv4Of(value), isForbiddenNumber(value, 4));
      expectJudged(ipv4Of(range[0]), true);
      expectJudged(ipv4Of(range[1]), true);
    },
  );
});

describe('IPv6', () => {
  test.each(ranges6.map((range) => [ipv6Of(range[0]), ipv6Of(range[1]), range] as const))(
    '%s to %s is forbidden, and its neighbours only if in another range',
    (_first, _last, range) => {
      for (const value of samplesOf(range, 128n))
        expectJudged(ipv6Of(value), isForbiddenNumber(value, 6));
      expectJudged(ipv6Of(range[0]), true);
      expectJudged(ipv6Of(range[1]), true);
    },
  );

  test.each([
    [':: ::1', 'unspecified and loopback'],
    ['::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8', 'mapped, even of a public address'],
    ['::127.0.0.1 ::8.8.8.8', 'compatible'],
    ['64:ff9b::169.254.169.254 64:ff9b::808:808', 'NAT64'],
    ['2001:DB8::1 2001:0db8:0000:0000:0000:0000:0000:0001', 'in another spelling'],
  ])('%s: %s', (addresses) => {
    for (const address of addresses.split(' ')) expectJudged(address, true);
  });

  test.each(['fe80::1%eth0', '2606:4700:4700::1111%eth0', '2606:4700:4700::1111%1'])(
    'a zone is refused, on a public address too: %s',
    (address) => expectJudged(address, true),
  );
});

test.each([
  '',
  ' ',
  'localhost',
  '127.1',
  '8.8.8',
  '08.8.8.8',
  '8.8.8.8 ',
  ' 8.8.8.8',
  '8.8.8.8\0',
  '8.8.8.8/32',
  '134744072',
  '0x08080808',
  '8.8.8.256',
  '[2606:4700::1]',
  '2606:4700',
  '2606::4700::1',
  '\uff18.8.8.8',
  '1::%',
])('what is no address is forbidden: %j', (address) => expectJudged(address, true));

/** A few steps from either end of a range. */
const near = (ranges: readonly (readonly [bigint, bigint])[], bits: number) =>
  fc
    .tuple(fc.constantFrom(...ranges.flat()), fc.bigInt(-3n, 3n))
    .map(([edge, step]) => BigInt.asUintN(bits, edge + step));

test('agrees with arithmetic on whole numbers for any address', () => {
  fc.assert(
    fc.property(fc.oneof(fc.bigInt(0n, (1n << 32n) - 1n), near(ranges4, 32)), (value) => {
      expectJudged(ipv4Of(value), isForbiddenNumber(value, 4));
    }),
    { numRuns: 5000 },
  );
  fc.assert(
    fc.property(fc.oneof(fc.bigInt(0n, (1n << 128n) - 1n), near(ranges6, 128)), (value) => {
      expectJudged(ipv6Of(value), isForbiddenNumber(value, 6));
    }),
    { numRuns: 5000 },
  );
});

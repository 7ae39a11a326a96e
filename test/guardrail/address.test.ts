import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { forbiddenIPv4, forbiddenIPv6, isForbiddenAddress } from '../../guardrail/address.ts';
import { ipv4Of, ipv6Of, isForbiddenNumber, ranges4, ranges6 } from './address-oracle.ts';

const expectJudged = (address: string, isForbidden: boolean) =>
  expect({ address, isForbidden: isForbiddenAddress(address) }).toEqual({ address, isForbidden });

test('has as many ranges as the oracle, which joins 224.0.0.0/4 and 240.0.0.0/4', () => {
  expect(forbiddenIPv4).toHaveLength(ranges4.length + 1);
  // The oracle has two more for what is not 2000::/3.
  expect(forbiddenIPv6).toHaveLength(ranges6.length - 2);
});

test.each([
  [':: ::1', 'unspecified and loopback'],
  ['::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8', 'mapped, even of a public address'],
  ['::127.0.0.1 ::8.8.8.8', 'compatible'],
  ['64:ff9b::169.254.169.254 64:ff9b::808:808', 'NAT64'],
  ['2001:DB8::1 2001:0db8:0000:0000:0000:0000:0000:0001', 'in another spelling'],
  ['fe80::1%eth0 2606:4700:4700::1111%eth0 2606:4700:4700::1111%1', 'with a zone'],
])('forbids %s: %s', (addresses) => {
  for (const address of addresses.split(' ')) expectJudged(address, true);
});

test.each(['', 'localhost', '127.1', '08.8.8.8', '8.8.8.8\0', '[2606:4700::1]', '1::%'])(
  'forbids what is no address: %j',
  (address) => expectJudged(address, true),
);

test.each([
  [ranges4, 4, 32, ipv4Of],
  [ranges6, 6, 128, ipv6Of],
] as const)('agrees with arithmetic on whole numbers: %#', (ranges, family, bits, addressOf) => {
  const expectAgreed = (value: bigint): void => {
    expectJudged(addressOf(value), isForbiddenNumber(value, family));
  };
  for (const edge of ranges.flat())
    for (const step of [-1n, 0n, 1n]) expectAgreed(BigInt.asUintN(bits, edge + step));
  const anyValue = fc.bigInt(0n, (1n << BigInt(bits)) - 1n);
  fc.assert(fc.property(anyValue, expectAgreed), { numRuns: 5000 });
});

/**
 * Addresses as whole numbers and ranges as pairs of them: another way to say what
 * guardrail/address.ts says.
 */

/** The number of an address. IPv6 may have `::`, but no dotted quad. */
export function bigOf(address: string): bigint {
  if (address.includes('.'))
    return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  if (!address.includes('::'))
    return address.split(':').reduce((sum, part) => sum * 65_536n + BigInt(`0x${part}`), 0n);
  const [head = '', tail = ''] = address.split('::');
  const [left, right] = [head, tail].map((side) => side.split(':').filter((part) => part !== ''));
  const zeros = Array.from({ length: 8 - (left?.length ?? 0) - (right?.length ?? 0) }, () => '0');
  return bigOf([...(left ?? []), ...zeros, ...(right ?? [])].join(':'));
}

export const ipv4Of = (value: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.');

/** All eight groups written out. */
export const ipv6Of = (value: bigint): string =>
  [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n]
    .map((shift) => ((value >> shift) & 0xffffn).toString(16))
    .join(':');

/**
 * First and last address of each forbidden range, written down by hand; IPv6 with all that is not
 * 2000::/3.
 */
export const ranges4: readonly (readonly [bigint, bigint])[] = (
  [
    ['0.0.0.0', '0.255.255.255'],
    ['10.0.0.0', '10.255.255.255'],
    ['100.64.0.0', '100.127.255.255'],
    ['127.0.0.0', '127.255.255.255'],
    ['168.63.129.16', '168.63.129.16'],
    ['169.254.0.0', '169.254.255.255'],
    ['172.16.0.0', '172.31.255.255'],
    ['192.0.0.0', '192.0.0.255'],
    ['192.0.2.0', '192.0.2.255'],
    ['192.31.196.0', '192.31.196.255'],
    ['192.52.193.0', '192.52.193.255'],
    ['192.88.99.0', '192.88.99.255'],
    ['192.168.0.0', '192.168.255.255'],
    ['192.175.48.0', '192.175.48.255'],
    ['198.18.0.0', '198.19.255.255'],
    ['198.51.100.0', '198.51.100.255'],
    ['203.0.113.0', '203.0.113.255'],
    ['224.0.0.0', '255.255.255.255'],
  ] as const
).map(([first, last]) => [bigOf(first), bigOf(last)]);

export const ranges6: readonly (readonly [bigint, bigint])[] = (
  [
    ['0:0:0:0:0:0:0:0', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:0:0:0:0:0:0:0', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:db8:0:0:0:0:0:0', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2002:0:0:0:0:0:0:0', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2620:4f:8000:0:0:0:0:0', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
    ['3fff:0:0:0:0:0:0:0', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['4000:0:0:0:0:0:0:0', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ] as const
).map(([first, last]) => [bigOf(first), bigOf(last)]);

/** Whether the address of this number is forbidden. */
export const isForbiddenNumber = (value: bigint, family: 4 | 6): boolean =>
  (family === 4 ? ranges4 : ranges6).some(([first, last]) => value >= first && value <= last);

import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * The IANA special-purpose registry, plus two ranges that clouds use inside: 100.64.0.0/10 (shared
 * address space with some metadata services) and 168.63.129.16 (Azure's platform channel).
 * https://www.iana.org/assignments/iana-ipv4-special-registry
 */
export const forbiddenIPv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
] as const;

/**
 * IANA's global unicast range. An allow list refuses mapped, compatible, NAT64, unique local,
 * link-local and multicast addresses, and later assignments, without a rule for each.
 */
export const allowedIPv6 = ['2000::/3'] as const;

/** Special parts of 2000::/3: Teredo and other protocols, documentation (two), 6to4, AS112. */
export const forbiddenIPv6 = [
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
] as const;

function blockList(subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}

const forbidden4 = blockList(forbiddenIPv4, 'ipv4');
const allowed6 = blockList(allowedIPv6, 'ipv6');
const forbidden6 = blockList(forbiddenIPv6, 'ipv6');

/**
 * Whether no request may go to `address`: true for every address that is not public unicast, for an
 * address with a zone (`fe80::1%eth0`), and for a text that is no address. Never throws.
 */
export function isForbiddenAddress(address: string): boolean {
  if (isIPv4(address)) return forbidden4.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return true;
  return !allowed6.check(address, 'ipv6') || forbidden6.check(address, 'ipv6');
}

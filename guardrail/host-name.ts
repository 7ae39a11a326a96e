import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import { isForbiddenAddress } from './address.ts';

/** Names with a local meaning (RFC 6761, 6762, 7686, 8375 and common use). */
const reservedSuffixes = [
  'localhost',
  'local',
  'internal',
  'home.arpa',
  'svc',
  'lan',
  'corp',
  'onion',
];

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const hostNameLengthMax = 253;

/**
 * Allows letters of any script (bücher.example.org), but none that IDNA maps to other letters or
 * digits: `①②⑦.⓪.⓪.①` becomes 127.0.0.1. Canonical composition (u + ¨ = ü) is no such mapping.
 */
function isPlainHost(rawHost: string): boolean {
  return (
    /^[\p{L}\p{M}\p{Nd}.-]+$/u.test(rawHost) &&
    rawHost.normalize('NFKC') === rawHost.normalize('NFC')
  );
}

/** Node 20's URL parser refuses a label whose Punycode decodes to nothing; Node 24's keeps it. */
const hasBadPunycode = (hostname: string): boolean =>
  hostname.includes('xn--') && /(?:^|\.)xn--/.test(domainToUnicode(hostname));

const isReserved = (hostname: string): boolean =>
  reservedSuffixes.some((suffix) => hostname === suffix || hostname.endsWith(`.${suffix}`));

/** Whether a host, as the URL parser writes it, is an address or a name of a local network. */
export function isLocalHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  return isIP(host) === 0 ? isReserved(host) || !host.includes('.') : isForbiddenAddress(host);
}

/**
 * Says what is wrong with a host, or null. It checks both the host as written (`rawHost`) and the
 * host that the URL parser made of it and the resolver looks up (`hostname`).
 */
export function hostNameProblem(rawHost: string, hostname: string): string | null {
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) {
    return 'the host must be a name, not an IP address';
  }
  if (hostname.endsWith('.')) return 'the host name must not end with a dot';
  if (!isPlainHost(rawHost)) return 'the host name may have letters, digits, hyphens and dots only';
  const labels = hostname.split('.');
  if (
    hostname.length > hostNameLengthMax ||
    !labels.every((part) => label.test(part)) ||
    hasBadPunycode(hostname)
  ) {
    return 'the host name may have letters, digits, hyphens and dots only';
  }
  // Reserved names first: `localhost` has its own reason.
  if (isReserved(hostname)) return 'the host name is reserved for local use';
  return labels.length < 2 ? 'the host name must have a dot' : null;
}

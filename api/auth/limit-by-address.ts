import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { tooManyRequests } from '../http/api-error.ts';
import type { RateLimit } from './rate-limits.ts';

/** What one line has: an IPv4 address, or of IPv6 a whole network of 64 bits, any address of which its owner may use. */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address) ?? [];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  // The URL parser writes an address in its one shortest form.
  const [head = '', tail] = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname
    .slice(1, -1)
    .split('::');
  const first = head === '' ? [] : head.split(':');
  const missing =
    tail === undefined ? 0 : 8 - first.length - (tail === '' ? 0 : tail.split(':').length);
  const zeros = Array.from({ length: missing }, () => '0');
  const groups = [...first, ...zeros, ...(tail ?? '').split(':')];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** An `onRequest` hook of the token routes: the coarse limit for each source address comes before anything else (D2, D12). */
export const limitByAddress =
  (limit: RateLimit) =>
  async (request: FastifyRequest): Promise<void> => {
    const rate = await limit(networkOf(request.ip));
    if (rate?.isExceeded === true) throw tooManyRequests(rate.resetSeconds);
  };

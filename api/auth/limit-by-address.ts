import { isIPv4 } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { tooManyRequests, type RateName } from '../http/api-error.ts';
import { addressIn } from './addresses.ts';
import { countCall } from './call-points.ts';
import type { RateLimit } from './rate-limits.ts';

const groupsOf = (part: string): readonly string[] => part.split(':').filter(Boolean);

/** An IPv4 address, or the /64 network of an IPv6 address, because one client may use it whole. */
export function networkOf(text: string): string {
  const address = addressIn(text);
  if (address === null || isIPv4(address)) return address ?? '';
  const [first = [], last = []] = address.split('::').map(groupsOf);
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`;
}

/** The network whose log-ins count together: IPv4 /24, IPv6 /64. */
export function logInNetworkOf(address: string): string {
  const network = networkOf(address);
  return isIPv4(network) ? `${network.slice(0, network.lastIndexOf('.'))}.0/24` : network;
}

/** An `onRequest` hook that limits each source address, before any other check. */
export const limitByAddress =
  (limit: RateLimit, name: RateName = 'ADDRESS_TOKEN_CALLS') =>
  (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const call = { name, limit, key: networkOf(request.ip), points: 1, isShown: false };
    const rate = countCall(request, reply, call);
    if (rate?.isExceeded === true) throw tooManyRequests(name, rate);
    done();
  };

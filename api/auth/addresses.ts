import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import type { FastifyInstance } from 'fastify';

/** Whether an address belongs to a proxy of `TRUST_PROXY`. */
type IsTrusted = (address: string) => boolean;

/** The IPv4 address in an IPv6 address of `::ffff:0:0/96` in its shortest form. */
function mappedIn(address: string): string | null {
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return null;
  const [first, last] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [first >> 8, first & 255, last >> 8, last & 255].join('.');
}

/**
 * The address that a text names, without a port, brackets or a zone. An IPv6 address has its
 * shortest form in lower case; an IPv4 address in an IPv6 one is IPv4. Null for any other text.
 */
export function addressIn(text: string): string | null {
  const [, bracketed, withPort] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text.trim()) ?? [];
  const address = (bracketed ?? withPort ?? text.trim()).replace(/%.*$/, '');
  if (isIPv4(address)) return bracketed === undefined ? address : null;
  if (!isIPv6(address)) return null;
  const shortest = new URL(`http://[${address}]`).hostname.slice(1, -1);
  return mappedIn(shortest) ?? shortest;
}

/** Compiles `TRUST_PROXY`, a list of addresses and networks. */
export function trustedBy(trustProxy: readonly string[]): IsTrusted {
  const isTrusted = proxyAddr.compile([...trustProxy]);
  return (text) => {
    const address = addressIn(text);
    return address !== null && isTrusted(address, 0);
  };
}

/**
 * The address of the caller of a request, in the form of {@link addressIn}: the one that the last
 * trusted proxy names, or that proxy's own if it names none. Empty once the connection has closed.
 */
export function addressOf(request: IncomingMessage, isTrusted: IsTrusted): string {
  const named: readonly (string | undefined)[] = proxyAddr.all(request, isTrusted);
  return named.map((text) => addressIn(text ?? '')).findLast((each) => each !== null) ?? '';
}

/** Makes `request.ip` the address of {@link addressOf}. Called before any other hook. */
export function nameAddresses(app: FastifyInstance, isTrusted: IsTrusted): void {
  app.addHook('onRequest', (request, _reply, done) => {
    Object.defineProperty(request, 'ip', { value: addressOf(request.raw, isTrusted) });
    done();
  });
}

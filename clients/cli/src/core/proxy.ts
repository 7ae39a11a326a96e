import { BlockList, isIP } from 'node:net';
import { ProxyAgent } from 'undici';
import type { Environment } from './environment.ts';
import { usageError } from './exit.ts';

/** The value of a variable of proxies, whose name may be in small letters. */
const valueOf = (environment: Environment, name: string): string =>
  environment[name.toLowerCase()] || environment[name] || '';

const names = ['HTTP_PROXY', 'HTTPS_PROXY'] as const;
type Name = (typeof names)[number];

/** The address of a proxy; null without one. `proxy.example.org:3128` is one of HTTP. */
function proxyOf(environment: Environment, name: Name): URL | 'malformed' | null {
  const given = valueOf(environment, name).trim();
  if (given === '') return null;
  const address = given.includes('://') ? given : `http://${given}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url : 'malformed';
}

/**
 * What may be the cause of a failed connection: a proxy, without its password, or a certificate.
 */
export function connectionHint(environment: Environment, reason: string): string {
  // The variable of the other protocol may have any address.
  const proxies = names.flatMap((name) => {
    const proxy = proxyOf(environment, name);
    return proxy instanceof URL ? proxy.origin : [];
  });
  const proxy = [...new Set(proxies)].join(' or ');
  return [
    ...(reason.includes('certificate') ? ['NODE_EXTRA_CA_CERTS names a file to trust.'] : []),
    ...(proxy === '' ? [] : [`Calls may go by the proxy ${proxy}; NO_PROXY names exceptions.`]),
  ].join(' ');
}

type Fetch = (request: Request) => Promise<Response>;

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether an address is another one, or in a network such as `10.0.0.0/8`. */
function isWithin(address: string, network: string): boolean {
  const [first = '', bits] = network.split('/');
  if (isIP(first) === 0) return false;
  const list = new BlockList();
  if (bits === undefined) list.addAddress(first, familyOf(first));
  else if (/^\d+$/.test(bits) && Number(bits) <= (isIP(first) === 6 ? 128 : 32))
    list.addSubnet(first, Number(bits), familyOf(first));
  return list.check(address, familyOf(address));
}

/**
 * Whether NO_PROXY names the host of an address, as for curl: by its name, a domain above it, its
 * address or network, or `*`, with a port or without.
 */
export function isExcepted(address: URL, noProxy: string): boolean {
  const host = address.hostname.replaceAll(/^\[|\]$|\.$/g, '');
  const port = address.port || (address.protocol === 'https:' ? '443' : '80');
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      // Of an IPv6 address without brackets, the last group is no port.
      const [, bracketed, plain, ofPort = port] =
        /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? [];
      const name = bracketed ?? plain ?? entry;
      if (ofPort !== port) return false;
      if (isIP(host) !== 0) return name === '*' || isWithin(host, name);
      const domain = name.replaceAll(/^\*?\.|\.$/g, '');
      return domain === '*' || (domain !== '' && `.${host}`.endsWith(`.${domain}`));
    });
}

/** The options of a client whose calls go through the proxy of the environment, if there is one. */
export function proxyOptions(
  environment: Environment,
  baseUrl: string,
): { readonly fetch?: Fetch } {
  const isHttps = baseUrl.toLowerCase().startsWith('https:');
  const name = isHttps ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = proxyOf(environment, name);
  if (proxy === 'malformed')
    throw usageError(`${name} is not the address of an HTTP proxy`, 'Such as http://proxy:3128.');
  const address = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (proxy === null || address === null) return {};
  if (isExcepted(address, valueOf(environment, 'NO_PROXY'))) return {};
  // Many proxies open a tunnel to the ports of HTTPS only.
  const dispatcher = new ProxyAgent({ uri: proxy.href, proxyTunnel: false });
  // The types of Node's own fetch are of another version of undici.
  return { fetch: (request) => fetch(request, { dispatcher } as object) };
}

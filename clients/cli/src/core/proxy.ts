import { EnvHttpProxyAgent } from 'undici';
import type { Environment } from './environment.ts';
import { usageError } from './exit.ts';

/** The value of a variable of proxies, whose name may be in small letters. */
const valueOf = (environment: Environment, name: string): string =>
  environment[name.toLowerCase()] || environment[name] || '';

/** The address of a proxy; null without one. `proxy.example.org:3128` is one of HTTP. */
function proxyOf(environment: Environment, name: 'HTTP_PROXY' | 'HTTPS_PROXY'): URL | null {
  const given = valueOf(environment, name).trim();
  if (given === '') return null;
  const address = given.includes('://') ? given : `http://${given}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw usageError(`${name} is not the address of an HTTP proxy`, 'Such as http://proxy:3128.');
  return url;
}

const names = ['HTTP_PROXY', 'HTTPS_PROXY'] as const;

/** What may be the cause of a failed connection: a proxy, without its password, or a certificate. */
export function connectionHint(environment: Environment, reason: string): string {
  const proxies = names.flatMap((name) => proxyOf(environment, name)?.origin ?? []);
  const proxy = [...new Set(proxies)].join(' or ');
  return [
    ...(reason.includes('certificate') ? ['NODE_EXTRA_CA_CERTS names a file to trust.'] : []),
    ...(proxy === '' ? [] : [`Calls go by the proxy ${proxy}; NO_PROXY names exceptions.`]),
  ].join(' ');
}

type Fetch = (request: Request) => Promise<Response>;

/** The options of a client whose calls go through the proxy of the environment, if there is one. */
export function proxyOptions(
  environment: Environment,
  baseUrl: string,
): { readonly fetch?: Fetch } {
  const isHttps = baseUrl.toLowerCase().startsWith('https:');
  if (proxyOf(environment, isHttps ? 'HTTPS_PROXY' : 'HTTP_PROXY') === null) return {};
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: proxyOf(environment, 'HTTP_PROXY')?.href ?? '',
    httpsProxy: proxyOf(environment, 'HTTPS_PROXY')?.href ?? '',
    noProxy: valueOf(environment, 'NO_PROXY'),
    // Many proxies open a tunnel to the ports of HTTPS only.
    proxyTunnel: false,
  });
  // The types of Node's own fetch are of another version of undici.
  return { fetch: (request) => fetch(request, { dispatcher } as object) };
}

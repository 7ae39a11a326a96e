import { isIP } from 'node:net';
import { dnsResolve } from './dns.ts';
import { lookUp, systemResolve, type LookUpOptions, type Resolve } from './resolve.ts';
import { checkUrl, type UrlPolicy } from './url.ts';

export type DestinationOptions = Omit<LookUpOptions, 'resolve'> & {
  readonly policy: UrlPolicy;
  /** For all origins. Default: DNS itself, and the operating system's resolver for exempt origins. */
  readonly resolve?: Resolve | undefined;
};

/** `blocked`: refused by a rule, in `reason`. `unknown`: no address was found; `reason` is `timeout` or a DNS code. */
export type Destination =
  | { readonly kind: 'found'; readonly url: URL; readonly addresses: readonly string[] }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Says nothing of which address it was. */
export const notPublic = 'the host name has an address that is not public';

const unbracketed = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** Both layers at once: judges the URL, then every address its host has at this moment. Never rejects. */
export async function findDestination(
  raw: string,
  options: DestinationOptions,
): Promise<Destination> {
  const verdict = checkUrl(raw, options.policy);
  if (verdict.kind === 'not-a-url') return { kind: 'blocked', reason: 'not a URL' };
  if (verdict.kind === 'refused') return { kind: 'blocked', reason: verdict.reason };
  const { url, exempt } = verdict;
  const hostname = unbracketed(url.hostname);
  // Only an exempt origin may be an IP literal.
  if (isIP(hostname) !== 0) return { kind: 'found', url, addresses: [hostname] };
  const found = await lookUp(hostname, {
    timeoutMs: options.timeoutMs,
    // An exempt origin may be of this machine or its network alone: localhost, a line of the hosts file, a container.
    resolve: options.resolve ?? (exempt ? systemResolve : dnsResolve),
    isForbidden: exempt ? () => false : options.isForbidden,
  });
  if (found.kind === 'addresses') return { kind: 'found', url, addresses: found.addresses };
  if (found.kind === 'forbidden') return { kind: 'blocked', reason: notPublic };
  return { kind: 'unknown', reason: found.reason };
}

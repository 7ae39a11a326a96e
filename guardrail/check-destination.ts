import { isIP } from 'node:net';
import { dnsResolve } from './dns.ts';
import { lookUp, systemResolve, type LookUpOptions, type Resolve } from './resolve.ts';
import { checkUrl, type UrlPolicy, type UrlVerdict } from './url.ts';

export type DestinationOptions = Omit<LookUpOptions, 'resolve'> & {
  readonly policy: UrlPolicy;
  /** For all origins. Default: DNS, and the operating system's resolver for exempt origins. */
  readonly resolve?: Resolve | undefined;
};

/**
 * `blocked`: a rule refuses it. `unknown`: no address found; the reason is `timeout` or a DNS code.
 */
export type Destination =
  | { readonly kind: 'found'; readonly url: URL; readonly addresses: readonly string[] }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Does not say which address it is. */
const notPublic = 'the host name has an address that is not public';

/**
 * Judges a destination when it is given: its URL, and the present addresses of its name, none of
 * which may be forbidden. A name without an answer in time is allowed, because the receiver may not
 * be up yet and every send checks again. Never rejects.
 */
export async function checkDestination(
  raw: string,
  { policy, resolve = dnsResolve, ...options }: DestinationOptions,
): Promise<UrlVerdict> {
  const verdict = checkUrl(raw, policy);
  if (verdict.kind !== 'allowed' || verdict.exempt) return verdict;
  const found = await lookUp(verdict.url.hostname, { ...options, resolve });
  return found.kind === 'forbidden'
    ? { kind: 'refused', reason: notPublic, localOrigin: verdict.url.origin }
    : verdict;
}

/** Judges the URL of a send, then every present address of its host. Never rejects. */
export async function findDestination(
  raw: string,
  { policy, resolve, timeoutMs, isForbidden }: DestinationOptions,
): Promise<Destination> {
  const verdict = checkUrl(raw, policy);
  if (verdict.kind === 'not-a-url') return { kind: 'blocked', reason: 'not a URL' };
  if (verdict.kind === 'refused') return { kind: 'blocked', reason: verdict.reason };
  const { url, exempt } = verdict;
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  // Only an exempt origin may be an IP literal.
  if (isIP(hostname) !== 0) return { kind: 'found', url, addresses: [hostname] };
  const found = await lookUp(hostname, {
    timeoutMs,
    // Only the operating system knows localhost, the hosts file and container names.
    resolve: resolve ?? (exempt ? systemResolve : dnsResolve),
    isForbidden: exempt ? () => false : isForbidden,
  });
  if (found.kind === 'addresses') return { kind: 'found', url, addresses: found.addresses };
  if (found.kind === 'forbidden') return { kind: 'blocked', reason: notPublic };
  return { kind: 'unknown', reason: found.reason };
}

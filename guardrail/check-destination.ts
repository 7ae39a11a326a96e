import { notPublic } from './destination.ts';
import { dnsResolve } from './dns.ts';
import { lookUp, type Resolve } from './resolve.ts';
import { checkUrl, type UrlPolicy, type UrlVerdict } from './url.ts';

export type CheckDestinationOptions = {
  readonly policy: UrlPolicy;
  /** Default: `dnsResolve`. */
  readonly resolve?: Resolve;
  /** For the look-up; 2 s suit a caller who waits. */
  readonly timeoutMs: number;
  /** For tests. Default: `isForbiddenAddress`. */
  readonly isForbidden?: (address: string) => boolean;
};

/**
 * Judges a destination when it is given: its URL, then the addresses its name has now, of which none may be forbidden.
 * A name without an answer, or one that comes too late, is allowed: the receiver may not be up yet, and every send looks
 * again. Never rejects.
 */
export async function checkDestination(
  raw: string,
  options: CheckDestinationOptions,
): Promise<UrlVerdict> {
  const verdict = checkUrl(raw, options.policy);
  if (verdict.kind !== 'allowed' || verdict.exempt) return verdict;
  const { resolve = dnsResolve, timeoutMs, isForbidden } = options;
  const found = await lookUp(verdict.url.hostname, { resolve, timeoutMs, isForbidden });
  return found.kind === 'forbidden' ? { kind: 'refused', reason: notPublic } : verdict;
}

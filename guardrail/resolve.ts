import { lookup, type LookupAddress } from 'node:dns';
import { promisify } from 'node:util';
import { isForbiddenAddress } from './address.ts';

/** One answer of a look-up. `family` is unused; `dns.lookup` returns it. */
export type ResolvedAddress = { readonly address: string; readonly family?: number };

/**
 * Looks up every address of a host name. Rejects with an error with a `code` (`ENOTFOUND`). The
 * signal aborts when the caller no longer waits; a resolver that cannot stop may ignore it.
 */
export type Resolve = (
  hostname: string,
  signal: AbortSignal,
) => Promise<readonly ResolvedAddress[]>;

/** The reason of `none` is `timeout` or an error's code. */
export type LookUp =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'none'; readonly reason: string };

export type LookUpOptions = {
  readonly resolve: Resolve;
  readonly timeoutMs: number;
  /** For tests and exempt origins. Default: {@link isForbiddenAddress}. */
  readonly isForbidden?: ((address: string) => boolean) | undefined;
};

const lookupAll = promisify(lookup);
const running = new Map<string, Promise<readonly LookupAddress[]>>();

/**
 * The operating system's resolver (`getaddrinfo`, with the hosts file), addresses in its order. It
 * uses libuv's four threads, which the whole process shares. Concurrent callers for one name share
 * one call, so that a burst or a hanging name server takes one thread. It has no cache.
 */
export const systemResolve: Resolve = (hostname) => {
  const shared = running.get(hostname);
  if (shared !== undefined) return shared;
  const answer = lookupAll(hostname, { all: true, verbatim: true }).finally(() =>
    running.delete(hostname),
  );
  running.set(hostname, answer);
  return answer;
};

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'EAI_FAIL';
}

/** Rejects with the code `timeout` in time, even if the resolver ignores its signal. */
async function resolveWithTimeout(hostname: string, resolve: Resolve, timeoutMs: number) {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(Object.assign(new Error('too late'), { code: 'timeout' }));
      stop.abort();
    }, timeoutMs);
  });
  try {
    return await Promise.race([resolve(hostname, stop.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Looks up `hostname` within `timeoutMs`. One forbidden address makes the whole answer `forbidden`,
 * because the name's owner could have it used. Never rejects.
 */
export async function lookUp(hostname: string, options: LookUpOptions): Promise<LookUp> {
  const isForbidden = options.isForbidden ?? isForbiddenAddress;
  try {
    const answers = await resolveWithTimeout(hostname, options.resolve, options.timeoutMs);
    const addresses = answers.map(({ address }) => address);
    if (addresses.length === 0) return { kind: 'none', reason: 'ENODATA' };
    return addresses.some(isForbidden) ? { kind: 'forbidden' } : { kind: 'addresses', addresses };
  } catch (error) {
    return { kind: 'none', reason: codeOf(error) };
  }
}

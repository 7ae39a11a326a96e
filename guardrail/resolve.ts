import { lookup, type LookupAddress } from 'node:dns';
import { promisify } from 'node:util';
import { isForbiddenAddress } from './address.ts';

/** One answer of a look-up. `family` is not read: it is there so that what `dns.lookup` answers fits. */
export type ResolvedAddress = { readonly address: string; readonly family?: number };

/**
 * Looks a host name up and answers every address it has. Rejects with an error that has a `code` (`ENOTFOUND`). The
 * signal aborts when nobody waits for an answer any more; a resolver that cannot be stopped may ignore it.
 */
export type Resolve = (
  hostname: string,
  signal: AbortSignal,
) => Promise<readonly ResolvedAddress[]>;

/** `forbidden` says nothing of which address it was. The reason of `none` is `timeout` or an error's code. */
export type LookUp =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'none'; readonly reason: string };

export type LookUpOptions = {
  readonly resolve: Resolve;
  readonly timeoutMs: number;
  /** For tests, and for origins that are exempt. Default: {@link isForbiddenAddress}. */
  readonly isForbidden?: ((address: string) => boolean) | undefined;
};

const lookupAll = promisify(lookup);
const running = new Map<string, Promise<readonly LookupAddress[]>>();

/**
 * The operating system's resolver (`getaddrinfo`: hosts file and all), addresses in its order. It runs on libuv's four
 * threads, which the whole process shares, so callers that ask for the same name at the same time share one call: a
 * burst to one receiver, or one name server that hangs, then takes one thread. Nothing is kept after the answer.
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

/** Made once: to make an error for each abort costs more than the abort. */
const nobodyWaits = new Error('nobody waits for the look-up any more');

/** Rejects with the code `timeout` when the time is up, whether or not the resolver listens to its signal. */
async function resolveInTime(hostname: string, resolve: Resolve, timeoutMs: number) {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(Object.assign(new Error('too late'), { code: 'timeout' }));
      stop.abort(nobodyWaits);
    }, timeoutMs);
  });
  try {
    return await Promise.race([resolve(hostname, stop.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Looks `hostname` up within `timeoutMs` and judges every answer: one forbidden address among public ones makes the whole
 * answer `forbidden`, since the name's owner could have the forbidden one used. Never rejects.
 */
export async function lookUp(hostname: string, options: LookUpOptions): Promise<LookUp> {
  const isForbidden = options.isForbidden ?? isForbiddenAddress;
  try {
    const answers = await resolveInTime(hostname, options.resolve, options.timeoutMs);
    const addresses = answers.map(({ address }) => address);
    if (addresses.length === 0) return { kind: 'none', reason: 'ENODATA' };
    return addresses.some(isForbidden) ? { kind: 'forbidden' } : { kind: 'addresses', addresses };
  } catch (error) {
    return { kind: 'none', reason: codeOf(error) };
  }
}

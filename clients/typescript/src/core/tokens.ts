import { isObject } from './json.ts';

/** A token and its lifetime in seconds, as the gateway issues it. */
export type IssuedToken = { readonly accessToken: string; readonly expiresIn: number };

/** The token is renewed so long before its end (part 5 of the specification). */
const renewBeforeMs = 30_000;

/** Rejects when the signal aborts. The promise stays pending for the other callers. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => {
      reject(signal.reason);
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', end);
    });
  });
}

/** A log-in under way, and the number of calls that wait for it. */
type LogIn = { readonly token: Promise<string>; readonly stop: AbortController; callers: number };

/** A time that is over, unlike other aborts, says nothing about later calls. */
const isTimeOver = ({ reason }: AbortSignal): boolean =>
  isObject(reason) && reason['name'] === 'TimeoutError';

/**
 * The token of a client, which `logIn` fetches. Concurrent calls share one log-in. It ends with the
 * last call that waits for it if that is aborted: its retries would keep a process from its end.
 */
export function createTokenSource(logIn: (signal: AbortSignal) => Promise<IssuedToken>) {
  let cached: { readonly token: string; readonly renewAt: number } | null = null;
  let pending: LogIn | null = null;

  const renew = async (signal: AbortSignal): Promise<string> => {
    const askedAt = Date.now();
    try {
      const { accessToken, expiresIn } = await logIn(signal);
      cached = { token: accessToken, renewAt: askedAt + expiresIn * 1000 - renewBeforeMs };
      return accessToken;
    } finally {
      if (!signal.aborted) pending = null;
    }
  };
  const begin = (): LogIn => {
    const stop = new AbortController();
    return { token: renew(stop.signal), stop, callers: 0 };
  };
  return {
    /** A token that is valid for 30 seconds more. Rejects with the signal's reason. */
    get: async (signal: AbortSignal): Promise<string> => {
      if (cached !== null && Date.now() < cached.renewAt) return cached.token;
      const shared = (pending ??= begin());
      shared.callers += 1;
      try {
        return await unlessAborted(shared.token, signal);
      } finally {
        shared.callers -= 1;
        if (shared.callers === 0 && pending === shared && signal.aborted && !isTimeOver(signal)) {
          pending = null;
          shared.stop.abort();
        }
      }
    },
    /** Forgets a token that the gateway refused, unless another one has replaced it. */
    discard: (token: string): void => {
      if (cached?.token === token) cached = null;
    },
  };
}
export type TokenSource = ReturnType<typeof createTokenSource>;

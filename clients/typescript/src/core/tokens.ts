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

/** The token of a client, which `logIn` fetches. Concurrent calls share one log-in. */
export function createTokenSource(logIn: () => Promise<IssuedToken>) {
  let cached: { readonly token: string; readonly renewAt: number } | null = null;
  let pending: Promise<string> | null = null;

  const renew = async (): Promise<string> => {
    const askedAt = Date.now();
    try {
      const { accessToken, expiresIn } = await logIn();
      cached = { token: accessToken, renewAt: askedAt + expiresIn * 1000 - renewBeforeMs };
      return accessToken;
    } finally {
      pending = null;
    }
  };
  return {
    /** A token that is valid for 30 seconds more. Rejects with the signal's reason. */
    get: (signal: AbortSignal): Promise<string> => {
      if (cached !== null && Date.now() < cached.renewAt) return Promise.resolve(cached.token);
      pending ??= renew();
      return unlessAborted(pending, signal);
    },
    /** Forgets a token that the gateway refused, unless another one has replaced it. */
    discard: (token: string): void => {
      if (cached?.token === token) cached = null;
    },
  };
}
export type TokenSource = ReturnType<typeof createTokenSource>;

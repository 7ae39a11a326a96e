import { isLasting, reasonOf } from './connection-failure.ts';
import { connectionFailed, redirected, retryAfterMsOf, VendorGatewayError } from './errors.ts';
import { isObject, jsonOf } from './json.ts';
import { withTimeLimit } from './time-limit.ts';
import type { TokenSource } from './tokens.ts';

/** How the client waits and retries. */
export type RetryOptions = {
  /** Attempts of a call, the first one included. Default: 6. */
  readonly attemptsMax?: number;
  /** The time of a call with all its attempts and waits. Default: 60,000. */
  readonly timeoutMs?: number;
};
export type Sender = {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Null for calls without a token. */
  readonly tokens: TokenSource | null;
  readonly retry: Required<RetryOptions>;
};

/** Doubles with each attempt: five waits outlast a restart of the gateway, which takes seconds. */
const firstBackoffMs = 500;
/** After the time that the gateway names, so that clients do not return at one instant. */
const jitterMsMax = 1000;

/** Resolves after the time, or rejects with the signal's reason. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

/** At least what the gateway asked for, or the back-off; jitter adds to both. */
const waitMsAfter = (retryAfterMs: number | null, attempt: number): number =>
  retryAfterMs === null
    ? firstBackoffMs * 2 ** (attempt - 1) * (1 + Math.random())
    : retryAfterMs + Math.random() * jitterMsMax;

/**
 * 429 says that nothing was done. After 502, 503, 504 and a lost connection it is unknown: the
 * gateway answers them also for a transaction whose commit it did not see.
 */
const mayRetry = ({ status }: Response, isRepeatable: boolean): boolean =>
  status === 429 || (isRepeatable && [502, 503, 504].includes(status));

/** A new token helps, unless a dependency of the gateway refused the gateway itself. */
async function wantsNewToken(response: Response): Promise<boolean> {
  if (response.status !== 401) return false;
  const body = await jsonOf(response.clone());
  return !isObject(body) || body['state'] !== 'UPSTREAM_AUTH_FAILED';
}

/** A browser hides the status and the address of a redirect. */
const isRedirect = ({ type, status }: Response): boolean =>
  type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(status);

/**
 * The requests under way. Node ignores the signal of a Request that it has collected, although its
 * `fetch` is not over (nodejs/undici#3644).
 */
const underWay = new Set<Request>();

async function sendOnce(
  fetch: Sender['fetch'],
  request: Request,
  given: { readonly body: string; readonly signal: AbortSignal; readonly token: string | null },
): Promise<Response> {
  const { body, signal, token } = given;
  const headers = new Headers(request.headers);
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  // An empty body that was read is one all the same.
  const init = { headers, signal, ...(body === '' && !request.bodyUsed ? {} : { body }) };
  const sent = new Request(request, init);
  underWay.add(sent);
  try {
    const response = await fetch(sent);
    if (isRedirect(response)) {
      const { method, url } = request;
      throw redirected(response, url, { method, path: new URL(url).pathname });
    }
    // Read here, so that a connection that ends within the body is a failed attempt.
    const text = await response.text();
    const { status, statusText, headers: received } = response;
    // Responses such as 204 have no body, not an empty one.
    return new Response(text === '' ? null : text, { status, statusText, headers: received });
  } finally {
    underWay.delete(sent);
  }
}

/**
 * Sends a request until it has a response that a retry does not improve, or its attempts or time
 * are used up. Rejects with the reason of the request's signal, and with CONNECTION_FAILED.
 */
export async function send(
  { fetch, tokens, retry }: Sender,
  request: Request,
  { isRepeatable, body }: { readonly isRepeatable: boolean; readonly body: string },
): Promise<Response> {
  const { signal } = request;
  signal.throwIfAborted();
  const endsAt = Date.now() + retry.timeoutMs;

  /** One request, and a second one with a new token if the gateway refuses the first one's. */
  const attemptOnce = async (time: AbortSignal): Promise<Response> => {
    if (tokens === null) return sendOnce(fetch, request, { body, signal: time, token: null });
    for (;;) {
      const token = await tokens.get(time);
      const response = await sendOnce(fetch, request, { body, signal: time, token });
      if (!(await wantsNewToken(response))) return response;
      tokens.discard(token);
      if (isTokenRenewed) return response;
      isTokenRenewed = true;
    }
  };
  const outcomeOf = async (): Promise<Response | { readonly failure: unknown }> => {
    try {
      return await withTimeLimit(signal, endsAt - Date.now(), attemptOnce);
    } catch (failure) {
      signal.throwIfAborted();
      // Of the log-in, or of a redirect.
      if (failure instanceof VendorGatewayError) throw failure;
      return { failure };
    }
  };

  let isTokenRenewed = false;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await outcomeOf();
    const retries =
      outcome instanceof Response
        ? mayRetry(outcome, isRepeatable)
        : isRepeatable && !isLasting(reasonOf(outcome.failure));
    const named = outcome instanceof Response ? retryAfterMsOf(outcome) : null;
    const waitMs = waitMsAfter(named, attempt);
    if (!retries || attempt >= retry.attemptsMax || Date.now() + waitMs >= endsAt) {
      if (outcome instanceof Response) return outcome;
      const { method, url } = request;
      throw connectionFailed(outcome.failure, { method, path: new URL(url).pathname });
    }
    await delay(waitMs, signal);
  }
}

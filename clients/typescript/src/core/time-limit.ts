/** The longest delay of a timer. A longer one fires at once. */
const timerMsMax = 2 ** 31 - 1;

/**
 * Does work with a signal that aborts with `signal`, or with a TimeoutError after `ms`.
 * `AbortSignal.any` keeps its sources weakly, so that Node 20 may collect an `AbortSignal.timeout`
 * among them before its time (nodejs/node#57736).
 */
export async function withTimeLimit<T>(
  signal: AbortSignal,
  ms: number,
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(
    () => {
      limit.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    },
    Math.min(ms, timerMsMax),
  );
  try {
    return await work(AbortSignal.any([signal, limit.signal]));
  } finally {
    clearTimeout(timer);
  }
}

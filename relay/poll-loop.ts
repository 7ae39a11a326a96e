/** How long to pause after a round. `wake` ends the pause early unless `ignoresWake`. */
export type Backoff = { readonly ms: number; readonly ignoresWake?: boolean };

/** The pause of a loop that another one wakes. */
export const untilWoken = 60_000;

export type PollLoop = {
  /** Ends the pause or, during a round, skips the next one. */
  readonly wake: () => void;
  readonly stop: () => Promise<void>;
};

/** Runs one round after another until stopped. `round` must not reject. */
export function startPollLoop(round: () => Promise<Backoff>): PollLoop {
  const stopping = new AbortController();
  let isWoken = false;
  // A wake aborts nothing: each abort creates an error with its stack, which costs more than a
  // round.
  let endPause: ((isWake: boolean) => void) | null = null;
  const pauseFor = async ({ ms, ignoresWake = false }: Backoff): Promise<void> => {
    if (ms === 0 || stopping.signal.aborted || (isWoken && !ignoresWake)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = (isWake) => {
        if (isWake && ignoresWake) return;
        clearTimeout(timer);
        resolve();
      };
    });
    endPause = null;
  };
  const running = (async () => {
    for (let isToGoOn = false; !stopping.signal.aborted;) {
      // Cleared before the round, so that a `wake` during the round skips the pause after it.
      // Rounds without a pause between them count as one.
      if (!isToGoOn) isWoken = false;
      const backoff = await round();
      isToGoOn = backoff.ms === 0;
      await pauseFor(backoff);
    }
  })();
  return {
    wake: () => {
      isWoken = true;
      endPause?.(true);
    },
    stop: async () => {
      stopping.abort();
      endPause?.(false);
      await running;
    },
  };
}

type Retrying = { readonly pollMs: number; readonly onError: (error: unknown) => void };

/** As `startPollLoop`. After a round that rejects, reports the error and pauses for `pollMs`. */
export const startRetryingLoop = (
  round: () => Promise<Backoff>,
  { pollMs, onError }: Retrying,
): PollLoop =>
  startPollLoop(() =>
    round().catch((error: unknown) => {
      onError(error);
      return { ms: pollMs };
    }),
  );

/** A look takes at most a fiftieth of the time, but for the longest pause between two. */
const lookShare = 50;
const lookMaxMs = 10_000;

/**
 * As `startRetryingLoop`. Also looks every `pollMs` for what nothing has woken the loop for, and
 * wakes it if there is any. The longer looks take, the longer are the pauses between them.
 */
export function startWatchedLoop(
  round: () => Promise<Backoff>,
  look: () => Promise<boolean>,
  options: Retrying,
): PollLoop {
  const rounds = startRetryingLoop(round, options);
  const looks = startRetryingLoop(async () => {
    const begunAt = performance.now();
    if (await look()) rounds.wake();
    const tookMs = performance.now() - begunAt;
    return { ms: Math.max(options.pollMs, Math.min(lookShare * tookMs, lookMaxMs)) };
  }, options);
  const stop = async (): Promise<void> => {
    await Promise.all([looks.stop(), rounds.stop()]);
  };
  return { wake: rounds.wake, stop };
}

/** How long to pause after a round. `wake` ends the pause early unless `ignoresWake`. */
export type Backoff = { readonly ms: number; readonly ignoresWake?: boolean };

export type PollLoop = {
  /** Ends the pause or, during a round, skips the next one. */
  readonly wake: () => void;
  readonly stop: () => Promise<void>;
};

/** Runs one round after another until stopped. `round` must not reject. */
export function startPollLoop(round: () => Promise<Backoff>): PollLoop {
  const stopping = new AbortController();
  let isWoken = false;
  // A wake aborts nothing: each abort creates an error with its stack, which costs more than a round.
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
    while (!stopping.signal.aborted) {
      // Cleared before the round, so that a `wake` during the round skips the pause after it.
      isWoken = false;
      await pauseFor(await round());
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

/** As `startPollLoop`. After a round that rejects, reports the error and pauses for `pollMs`. */
export const startRetryingLoop = (
  round: () => Promise<Backoff>,
  { pollMs, onError }: { readonly pollMs: number; readonly onError: (error: unknown) => void },
): PollLoop =>
  startPollLoop(() =>
    round().catch((error: unknown) => {
      onError(error);
      return { ms: pollMs };
    }),
  );

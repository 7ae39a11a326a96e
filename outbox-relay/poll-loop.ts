import { setTimeout as delay } from 'node:timers/promises';

/** How long to pause after a round, unless `wake` ends the pause. */
export type Backoff = { readonly ms: number };

export type PollLoop = {
  /** Ends the pause or, during a round, skips the next one. */
  readonly wake: () => void;
  readonly stop: () => Promise<void>;
};

/** Runs one round after another until stopped. `round` must not reject. */
export function startPollLoop(round: () => Promise<Backoff>): PollLoop {
  const stopping = new AbortController();
  let isWoken = false;
  let pause: AbortController | null = null;
  const pauseFor = async ({ ms }: Backoff): Promise<void> => {
    if (ms === 0 || stopping.signal.aborted || isWoken) return;
    pause = new AbortController();
    await delay(ms, undefined, { signal: pause.signal }).catch(() => undefined);
    pause = null;
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      // Cleared before the round, so that a call of `wake` during the round counts.
      isWoken = false;
      await pauseFor(await round());
    }
  })();
  return {
    wake: () => {
      isWoken = true;
      pause?.abort();
    },
    stop: async () => {
      stopping.abort();
      pause?.abort();
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

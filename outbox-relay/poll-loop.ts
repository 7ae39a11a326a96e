import { setTimeout as delay } from 'node:timers/promises';

/** How long to pause after a round. `wake` does not shorten a firm pause. */
export type Backoff = { readonly ms: number; readonly isFirm?: boolean };

export type PollLoop = {
  /** Ends the pause or, during a round, skips the next one. */
  readonly wake: () => void;
  readonly stop: () => Promise<void>;
};

/** Runs one round after another until stopped. `round` must not reject. */
export function startPollLoop(round: () => Promise<Backoff>): PollLoop {
  const stopping = new AbortController();
  let isWoken = false;
  let pause: { readonly controller: AbortController; readonly isFirm: boolean } | null = null;
  const pauseFor = async ({ ms, isFirm = false }: Backoff): Promise<void> => {
    if (ms === 0 || stopping.signal.aborted || (isWoken && !isFirm)) return;
    pause = { controller: new AbortController(), isFirm };
    await delay(ms, undefined, { signal: pause.controller.signal }).catch(() => undefined);
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
      if (pause?.isFirm === false) pause.controller.abort();
    },
    stop: async () => {
      stopping.abort();
      pause?.controller.abort();
      await running;
    },
  };
}

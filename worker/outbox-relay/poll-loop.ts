import { setTimeout as delay } from 'node:timers/promises';

/** How long to rest after a round; a firm rest is not cut short by news. */
export type Backoff = { readonly ms: number; readonly isFirm?: boolean };

export type PollLoop = {
  /** There is news: the rest is over, or the next one does not begin. */
  readonly wake: () => void;
  readonly stop: () => Promise<void>;
};

/** One round after another until stopped. `round` must not reject. */
export function startPollLoop(round: () => Promise<Backoff>): PollLoop {
  const stopping = new AbortController();
  let hasNews = false;
  let resting: { readonly controller: AbortController; readonly isFirm: boolean } | null = null;
  const rest = async ({ ms, isFirm = false }: Backoff): Promise<void> => {
    if (ms === 0 || stopping.signal.aborted || (hasNews && !isFirm)) return;
    resting = { controller: new AbortController(), isFirm };
    await delay(ms, undefined, { signal: resting.controller.signal }).catch(() => undefined);
    resting = null;
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      // Forgotten before the round: news that comes during it is not lost.
      hasNews = false;
      await rest(await round());
    }
  })();
  return {
    wake: () => {
      hasNews = true;
      if (resting?.isFirm === false) resting.controller.abort();
    },
    stop: async () => {
      stopping.abort();
      resting?.controller.abort();
      await running;
    },
  };
}

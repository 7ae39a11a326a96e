import { setMaxListeners } from 'node:events';
import type { AttemptLimits } from '../activities/deliveries/first-attempt.ts';

/** The limits of the attempts of one claim. */
type ClaimLimits = {
  readonly limits: AttemptLimits;
  /** The attempts have ended. */
  readonly end: () => void;
};

/** One error for all: an abort without a reason creates an error with its stack. */
const passIsOver = new Error('the time for a slot is over');

/**
 * Creates the limits of claims. An attempt that waits for a slot gives up `slotWaitMs` after the
 * first attempt of its claim began to wait. Few claims have such attempts, so the signal is created
 * when it is first read.
 */
export function createClaimLimits(slotWaitMs: number): {
  readonly ofClaim: () => ClaimLimits;
  readonly stop: () => void;
} {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const passes = new Set<AbortController>();

  const ofClaim = (): ClaimLimits => {
    let pass: AbortController | null = null;
    let timer: NodeJS.Timeout | undefined;
    const startPass = (): AbortController => {
      const started = new AbortController();
      setMaxListeners(0, started.signal);
      if (stopping.signal.aborted) started.abort(passIsOver);
      timer = setTimeout(() => started.abort(passIsOver), slotWaitMs);
      passes.add(started);
      return started;
    };
    return {
      limits: {
        stopping: stopping.signal,
        get passEnd() {
          pass ??= startPass();
          return pass.signal;
        },
      },
      end: () => {
        clearTimeout(timer);
        if (pass !== null) passes.delete(pass);
      },
    };
  };
  return {
    ofClaim,
    stop: () => {
      stopping.abort();
      for (const pass of passes) pass.abort(passIsOver);
    },
  };
}

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

/** Creates the limits of claims. A claim's attempts wait for slots until `slotWaitMs` after it. */
export function createClaimLimits(slotWaitMs: number): {
  readonly ofClaim: () => ClaimLimits;
  readonly stop: () => void;
} {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const passes = new Set<AbortController>();

  const ofClaim = (): ClaimLimits => {
    const pass = new AbortController();
    setMaxListeners(0, pass.signal);
    if (stopping.signal.aborted) pass.abort(passIsOver);
    const timer = setTimeout(() => pass.abort(passIsOver), slotWaitMs);
    passes.add(pass);
    return {
      limits: { stopping: stopping.signal, passEnd: pass.signal },
      end: () => {
        clearTimeout(timer);
        passes.delete(pass);
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

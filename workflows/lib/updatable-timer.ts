import * as workflow from '@temporalio/workflow';

export type UpdatableTimer = {
  /** Rings at an instant (RFC 3339), or no more with null. The one that is set for the same instant goes on. */
  readonly set: (next: { readonly at: string; readonly summary: string } | null) => void;
  readonly hasFired: () => boolean;
  readonly silence: () => void;
};

/** How soon it rings again for an instant that it rang for: the record's clock was behind the server's. */
const againMs = 1000;

/** One timer, set for an instant rather than a while, so that a message in between does not make a new one. */
export function createUpdatableTimer(): UpdatableTimer {
  let setFor: string | null = null;
  let rangFor: string | null = null;
  let hasFired = false;
  let scope: workflow.CancellationScope | null = null;
  const ring = async (
    within: workflow.CancellationScope,
    waitMs: number,
    { at, summary }: { readonly at: string; readonly summary: string },
  ): Promise<void> => {
    try {
      await within.run(() => workflow.sleep(waitMs, { summary }));
    } catch {
      // Set for another instant meanwhile, or for none.
      return;
    }
    // It may have been set anew in the very activation in which the timer fired.
    if (scope === within) setFor = null;
    rangFor = at;
    hasFired = true;
  };
  return {
    set: (next) => {
      if (setFor === (next?.at ?? null)) return;
      scope?.cancel();
      setFor = next?.at ?? null;
      if (next === null) return;
      const { at, summary } = next;
      const waitMs = Math.max(rangFor === at ? againMs : 0, Date.parse(at) - Date.now());
      scope = new workflow.CancellationScope();
      void ring(scope, waitMs, { at, summary });
    },
    hasFired: () => hasFired,
    silence: () => {
      hasFired = false;
    },
  };
}

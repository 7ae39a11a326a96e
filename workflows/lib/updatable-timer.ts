import * as workflow from '@temporalio/workflow';

/** An instant (RFC 3339), and what happens then. */
type Deadline = { readonly at: string; readonly summary: string };

/**
 * The shortest wait before the timer fires again. It fires early if the server's clock is ahead of
 * Postgres's.
 */
const refireMs = 1000;

/** Creates a timer for an instant rather than a duration, so that a signal does not restart it. */
export function createUpdatableTimer() {
  let deadline: string | null = null;
  let firedFor: string | null = null;
  let hasFired = false;
  let scope: workflow.CancellationScope | null = null;
  const fire = async (
    current: workflow.CancellationScope,
    waitMs: number,
    { at, summary }: Deadline,
  ): Promise<void> => {
    try {
      await current.run(() => workflow.sleep(waitMs, { summary }));
    } catch {
      // Another deadline was set.
      return;
    }
    // Another deadline may have been set in the activation in which the timer fired.
    if (scope === current) deadline = null;
    firedFor = at;
    hasFired = true;
  };
  return {
    /** Sets the instant, or none. Keeps a timer for the same instant. */
    setDeadline: (next: Deadline | null): void => {
      if (deadline === (next?.at ?? null)) return;
      scope?.cancel();
      deadline = next?.at ?? null;
      if (next === null) return;
      const waitMs = Math.max(
        firedFor === next.at ? refireMs : 0,
        Date.parse(next.at) - Date.now(),
      );
      scope = new workflow.CancellationScope();
      void fire(scope, waitMs, next);
    },
    hasFired: (): boolean => hasFired,
    reset: (): void => {
      hasFired = false;
    },
  };
}

import { setTimeout as delay } from 'node:timers/promises';
import { InstallationProblem } from '../domain/installation.ts';

const retryMs = 1000;

/**
 * Asks until there is a response, because a process may start before Postgres and Temporal. Rejects
 * with InstallationProblem; after an abort of `signal` it resolves to false. `onFailure` gets the
 * first failure.
 */
export async function untilOwn(
  ask: () => Promise<void>,
  { signal, onFailure }: { readonly signal: AbortSignal; onFailure: (error: unknown) => void },
): Promise<boolean> {
  for (let tries = 1; !signal.aborted; tries += 1) {
    try {
      await ask();
      return true;
    } catch (error) {
      if (error instanceof InstallationProblem) throw error;
      if (tries === 1) onFailure(error);
      await delay(retryMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
  return false;
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { InstallationProblem } from '../domain/installation.ts';

const retryMs = 1000;

/**
 * Asks until there is a response, because a process may start before Postgres and Temporal. Rejects
 * with InstallationProblem; after an abort of `signal` it resolves to false. Logs the first failure.
 */
export async function untilOwn(
  log: Logger,
  ask: () => Promise<void>,
  signal = new AbortController().signal,
): Promise<boolean> {
  for (let tries = 1; !signal.aborted; tries += 1) {
    try {
      await ask();
      return true;
    } catch (error) {
      if (error instanceof InstallationProblem) throw error;
      if (tries === 1) log.warn({ err: error }, 'the environment cannot be checked yet; retrying');
      await delay(retryMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
  return false;
}

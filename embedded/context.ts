import type { Config } from '../config.ts';
import type { Guard } from './processes/guard.ts';
import type { StateDir } from './state/state-dir.ts';

/** What each part of an embedded start works with. */
export type EmbeddedContext = {
  readonly config: Config;
  readonly stateDir: StateDir;
  readonly guard: Guard;
  readonly log: (line: string) => void;
  /** Aborted when everything stops. */
  readonly signal: AbortSignal;
  /** Reports an error and stops everything. */
  readonly fail: (error: unknown) => void;
};

/** Runs a step of the start and logs its result with the time that it took. */
export async function runStep<T>(
  { log }: EmbeddedContext,
  step: () => Promise<T>,
  describe: (result: T) => string,
): Promise<T> {
  const startedAt = performance.now();
  const result = await step();
  log(`✓ ${describe(result)} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  return result;
}

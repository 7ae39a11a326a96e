import { setTimeout as delay } from 'node:timers/promises';
import type { Child } from '../../../embedded/processes/child-process.ts';
import type { BenchmarkContext } from '../benchmark.ts';
import type { TemporalSide } from './temporal-side.ts';

/** Long past whatever is waited for: something hangs. */
const limitMs = 600_000;

/** One worker process at a time. */
export function keepWorker(temporal: TemporalSide, say: BenchmarkContext['say']) {
  let child: Child | null = null;
  return {
    pid: (): number | null => (child === null || child.hasExited() ? null : child.pid),
    start: async (): Promise<void> => {
      child = await temporal.startWorker();
    },
    kill: async (): Promise<void> => {
      child?.process.kill('SIGKILL');
      say(`the worker is gone: ${(await child?.exited) ?? 'it was not there'}`);
    },
    stop: async (): Promise<void> => {
      await child?.stop();
    },
  };
}

/** Looks again and again until it holds. Rejects when that takes absurdly long. */
export async function until(holds: () => Promise<boolean> | boolean, everyMs = 50): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('it does not come to an end');
    await delay(everyMs);
  }
}

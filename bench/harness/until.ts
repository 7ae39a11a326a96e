import { setTimeout as delay } from 'node:timers/promises';

/** Long past whatever is waited for: something hangs. */
const limitMs = 600_000;

/** Looks again and again until it holds. Rejects when that takes absurdly long. */
export async function until(holds: () => Promise<boolean> | boolean, everyMs = 50): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('it does not come to an end');
    await delay(everyMs);
  }
}

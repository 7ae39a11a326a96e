import { setTimeout as delay } from 'node:timers/promises';

/** One operation; the number tells operations apart. */
export type Work = (operation: number) => Promise<unknown>;

export type Load = { readonly latenciesMs: readonly number[]; readonly seconds: number };

/** Keeps `atOnce` operations under way for `ms`: as fast as they go. */
export async function fullLoad(
  work: Work,
  { atOnce, ms }: { readonly atOnce: number; readonly ms: number },
): Promise<Load> {
  const latenciesMs: number[] = [];
  const started = performance.now();
  let operation = 0;
  const worker = async (): Promise<void> => {
    for (;;) {
      const begun = performance.now();
      if (begun - started >= ms) return;
      await work((operation += 1));
      latenciesMs.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { latenciesMs, seconds: (performance.now() - started) / 1000 };
}

/**
 * Begins an operation every so often, whether or not those before have ended, until the caller
 * stops it. Latencies count from when an operation was due, so that a stall is seen by everyone who
 * would have come meanwhile.
 */
export async function pacedLoad(work: Work, perSecond: number, until: AbortSignal): Promise<Load> {
  const latenciesMs: number[] = [];
  const started = performance.now();
  const underWay: Promise<void>[] = [];
  const failures: unknown[] = [];
  const begin = async (operation: number, due: number): Promise<void> => {
    try {
      await work(operation);
      latenciesMs.push(performance.now() - due);
    } catch (error) {
      failures.push(error);
    }
  };
  for (let operation = 0; !until.aborted && failures.length === 0; operation += 1) {
    const due = started + (operation * 1000) / perSecond;
    const early = due - performance.now();
    if (early > 0) await delay(early);
    underWay.push(begin(operation, due));
  }
  await Promise.all(underWay);
  if (failures.length > 0) throw failures[0];
  return { latenciesMs, seconds: (performance.now() - started) / 1000 };
}

/** The value below which that fraction of the values lies. */
export function quantile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

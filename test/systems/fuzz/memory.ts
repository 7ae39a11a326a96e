import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes in use in the heap and beside it, after so many requests and a garbage collection. */
export type MemorySample = { readonly requests: number; readonly bytes: number };

setFlagsFromString('--expose-gc');
// The flag adds the global to contexts that are created after it.
const collect = runInNewContext('gc') as () => void;

export async function bytesInUse(): Promise<number> {
  collect();
  // The finalizers of the first collection release more.
  await nextTurn();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const middle = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** By how much the medians of the first and the last quarter differ. */
export function growth(samples: readonly MemorySample[]): number {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const bytesOf = (some: readonly MemorySample[]) => middle(some.map(({ bytes }) => bytes));
  return bytesOf(samples.slice(-quarter)) - bytesOf(samples.slice(0, quarter));
}

/** Bytes a request over the second half, by least squares. */
export function slope(samples: readonly MemorySample[]): number {
  const half = samples.slice(Math.floor(samples.length / 2));
  const [x, y] = [mean(half.map(({ requests }) => requests)), mean(half.map(({ bytes }) => bytes))];
  const covariance = half.reduce(
    (sum, { requests, bytes }) => sum + (requests - x) * (bytes - y),
    0,
  );
  return covariance / half.reduce((sum, { requests }) => sum + (requests - x) ** 2, 0);
}

/**
 * 40 bytes a request: less than the smallest thing that can be kept for each of them, such as an
 * entry of a map. The minimum is what code that warms up takes, and what a short run can detect.
 */
const allowance = { bytesEach: 40, bytesMin: 2 ** 20 } as const;

export function judgeMemory(name: string, samples: readonly MemorySample[]): readonly string[] {
  const requests = (samples.at(-1)?.requests ?? 0) - (samples[0]?.requests ?? 0);
  const limit = Math.max(allowance.bytesMin, allowance.bytesEach * requests);
  const text = `grew by more than ${limit} bytes in ${requests} ${name} requests`;
  return [
    ...(growth(samples) > limit ? [`memory ${text}: ${Math.round(growth(samples))}`] : []),
    ...(slope(samples) * requests > limit ? [`memory ${text}, and grows at last`] : []),
  ];
}

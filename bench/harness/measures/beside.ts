import type { Cell } from '../table.ts';
import { median, quantile } from './load.ts';

/** Latencies of the same calls, alone and beside a load. */
export type Beside = {
  readonly name: string;
  readonly quietMs: readonly number[];
  readonly besideMs: readonly number[];
};

/** Where the latencies of these calls are collected. */
export const newBeside = (name: string) => ({
  name,
  quietMs: [] as number[],
  besideMs: [] as number[],
});

export const besideHeader = [
  '',
  'quiet p50 ms',
  'p99 ms',
  'beside p50 ms',
  'p99 ms',
  'ratio of p99',
];

export function besideCells({ name, quietMs, besideMs }: Beside): readonly Cell[] {
  const [quiet, beside] = [quantile(quietMs, 0.99), quantile(besideMs, 0.99)];
  return [name, median(quietMs), quiet, median(besideMs), beside, beside / quiet];
}

/** Throws if a 99th percentile beside the load is more than `ratioMax` times the quiet one. */
export function requireRatio(rows: readonly Beside[], ratioMax: number): void {
  const worst = Math.max(...rows.map((row) => Number(besideCells(row).at(-1))));
  if (worst > ratioMax)
    throw new Error(`beside the load a p99 is ${worst.toFixed(2)} times its quiet value`);
}

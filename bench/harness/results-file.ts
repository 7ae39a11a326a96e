import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BenchmarkContext } from './benchmark.ts';

const folder = fileURLToPath(new URL('../results/', import.meta.url));

/**
 * Writes the figures of a benchmark with their date and machine as `bench/results/NAME.json`. The
 * next execution replaces the file; git has the older ones.
 */
export async function writeResults(
  { isQuick, machine, say }: BenchmarkContext,
  name: string,
  figures: object,
): Promise<void> {
  if (isQuick) return;
  await mkdir(folder, { recursive: true });
  const dated = { measuredAt: new Date().toISOString(), machine, ...figures };
  await writeFile(`${folder}${name}.json`, `${JSON.stringify(dated, rounded, 2)}\n`);
  say(`written: bench/results/${name}.json`);
}

/** Four significant digits: more would be noise. */
const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(4)) : value;

import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BenchmarkContext } from './benchmark.ts';

const folder = fileURLToPath(new URL('../results/', import.meta.url));

/**
 * Writes the figures of a benchmark with their date and machine as `bench/results/NAME.json`, and
 * its plot beside them. The next run replaces both; git has the older ones.
 */
export async function writeResults(
  { isQuick, machine, say }: BenchmarkContext,
  name: string,
  { json, svg }: { readonly json: object; readonly svg: string },
): Promise<void> {
  if (isQuick) return;
  await mkdir(folder, { recursive: true });
  const dated = { measuredAt: new Date().toISOString(), machine, ...json };
  await writeFile(`${folder}${name}.json`, `${JSON.stringify(dated, rounded, 2)}\n`);
  await writeFile(`${folder}${name}.svg`, svg);
  say(`written: bench/results/${name}.json and ${name}.svg`);
}

/** Four significant digits: more would be noise. */
const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(4)) : value;

import { readFileSync } from 'node:fs';
import { processTree } from './process-tree.ts';

/**
 * Memory of a process and its descendants in MB (10^6 bytes). The proportional set size shares a
 * page among the processes that map it, so that a sum counts it once.
 */
export type Memory = { readonly pssMb: number; readonly rssMb: number };

/** Reads `smaps_rollup`, which needs Linux and the right to trace the process. */
export function memoryOf(pid: number): Memory {
  const rollups = [...processTree(pid).keys()].map(rollupOf);
  const sum = (name: string): number =>
    rollups.reduce((total, rollup) => total + kilobytes(rollup, name), 0);
  return { pssMb: (sum('Pss') * 1024) / 1e6, rssMb: (sum('Rss') * 1024) / 1e6 };
}

function rollupOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  } catch {
    // The process ended after it was listed.
    return '';
  }
}

const kilobytes = (rollup: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0);

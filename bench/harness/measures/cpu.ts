import { processTree } from './process-tree.ts';

/** Linux counts in hundredths of a second, whatever the kernel's own clock is. */
const tickMs = 10;

/**
 * The processor time that a process and its descendants have had, in ms, with the time of children
 * that have ended. NaN where there is no `/proc`.
 */
export function cpuMs(pid: number): number {
  const stats = [...processTree(pid).values()];
  if (stats.length === 0) return Number.NaN;
  const ticks = stats.flatMap((stat) => stat.slice(11, 15));
  return ticks.reduce((sum, value) => sum + Number(value), 0) * tickMs;
}

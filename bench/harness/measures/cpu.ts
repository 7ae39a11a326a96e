import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever the kernel's own clock is. */
const tickMs = 10;

/** `/proc/PID/stat` after the name; see proc(5). */
function statOf(pid: string | number): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

const ticks = (stat: readonly string[], ...fields: readonly number[]): number =>
  fields.reduce((sum, field) => sum + Number(stat[field] ?? 0), 0);

/**
 * The processor time that a process and its children have had, in ms: what a call costs, however busy the machine is with
 * other things. Not a number where there is no `/proc`.
 */
export function cpuMs(pid: number): number {
  const own = statOf(pid);
  if (own.length === 0) return Number.NaN;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => stat[1] === String(pid));
  // Its own, that of children which have ended, and that of those which live.
  return (
    (ticks(own, 11, 12, 13, 14) + children.reduce((sum, stat) => sum + ticks(stat, 11, 12), 0)) *
    tickMs
  );
}

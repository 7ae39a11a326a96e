import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * When a process started, as an opaque text; undefined when no such process runs. A pid with its start time names one
 * process for good: the pid alone may belong to a stranger by the time it is signalled.
 *
 * @param {number} pid
 * @returns {string | undefined}
 */
export function processStartTime(pid) {
  try {
    if (process.platform !== 'linux') {
      const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
        encoding: 'utf8',
      });
      return started.trim() || undefined;
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the command, may itself hold blanks and parentheses: count from after the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isZombie = fields[0] === 'Z' || fields[0] === 'X';
    return isZombie ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

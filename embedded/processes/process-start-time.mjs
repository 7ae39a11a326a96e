import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * The start time of a process as an opaque text; undefined when the process does not run. A pid
 * and its start time identify one process: the system may give the pid alone to another one.
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
    // The second field, the command, may contain blanks and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isZombie = fields[0] === 'Z' || fields[0] === 'X';
    return isZombie ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

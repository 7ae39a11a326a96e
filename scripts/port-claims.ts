import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processStartTime } from './process-start-time.mjs';

/**
 * A port is free until its server listens, some moments after it was chosen. Two gateways started at once would choose
 * the same: so a choice is claimed, in a file that names the claiming process. A claim of a process that has ended is none.
 */
const folder = join(tmpdir(), 'vendor-gateway-ports');

const isHeld = (claim: string): boolean => {
  const [pid = '', startTime = ''] = claim.split(' ');
  return Number(pid) !== process.pid && processStartTime(Number(pid)) === startTime;
};

/** Claims a port for this process; false when another living process has it. */
export function claimPort(port: number): boolean {
  const file = join(folder, String(port));
  const claim = `${process.pid} ${processStartTime(process.pid) ?? ''}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o1777 });
    for (let tries = 0; tries < 3; tries += 1) {
      try {
        writeFileSync(file, claim, { flag: 'wx' });
        return true;
      } catch {
        if (isHeld(readFileSync(file, 'utf8'))) return false;
        rmSync(file, { force: true });
      }
    }
    return false;
  } catch {
    // No temporary folder to write to, or another account's claim: then the port's own state has to do.
    return true;
  }
}

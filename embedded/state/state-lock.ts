import { closeSync, openSync, readFileSync, writeFileSync, ftruncateSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock } from 'fs-native-extensions';

/**
 * Locks a state folder for this process and returns null, or the pid of the process that has it.
 * The kernel releases the lock when its process ends, however it ends.
 */
export function lockStateDir(folder: string): string | null {
  const file = join(folder, 'lock');
  const fd = openSync(file, 'a+', 0o600);
  if (tryLock(fd)) {
    ftruncateSync(fd);
    writeFileSync(fd, String(process.pid));
    return null;
  }
  closeSync(fd);
  return readFileSync(file, 'utf8');
}

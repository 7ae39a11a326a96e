import { closeSync, fstatSync, openSync, rmSync, statSync } from 'node:fs';
import { tryLock } from 'fs-native-extensions';

/**
 * Locks a file for this process; null if another process has it. The kernel releases the lock when
 * the process ends, however it ends.
 */
export function lockFile(file: string): (() => void) | null {
  for (;;) {
    const fd = openSync(file, 'a', 0o600);
    if (!tryLock(fd)) {
      closeSync(fd);
      return null;
    }
    // The process before may have deleted the file between the two calls: its lock is of no use.
    if (statSync(file, { throwIfNoEntry: false })?.ino === fstatSync(fd).ino)
      return () => {
        rmSync(file, { force: true });
        closeSync(fd);
      };
    closeSync(fd);
  }
}

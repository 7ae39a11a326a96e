import { closeSync, fstatSync, openSync, realpathSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock } from 'fs-native-extensions';
import { formatRing, parseRing } from './key-ring-json.ts';
import { KeyRingError, type KeyRing } from './key-ring.ts';
import { createPrivateFile, readPrivateFile, replacePrivateFile } from './private-file.ts';

/**
 * The file of a key ring. The functions throw the errors of `node:fs`, {@link KeyRingError} for a
 * file that is not a key ring, and ExposedFileError for one that other users can read.
 */

/** A change takes milliseconds. */
const lockTimeoutMs = 3000;
const lockRetryMs = 20;

export const readRingFile = (file: string): KeyRing => parseRing(file, readPrivateFile(file));

/** Creates the file of a new ring. Returns false if the file exists already. */
export const createRingFile = (file: string, ring: KeyRing): boolean =>
  createPrivateFile(file, formatRing(ring));

/** Locks a file until its descriptor is closed or the process ends, even if it is killed. */
async function lockFile(file: string): Promise<number> {
  for (const deadlineMs = performance.now() + lockTimeoutMs; ; await sleep(lockRetryMs)) {
    const descriptor = openSync(file, 'r+');
    // The last owner of the lock may have replaced the file since it was opened.
    if (tryLock(descriptor) && fstatSync(descriptor).ino === statSync(file).ino) return descriptor;
    closeSync(descriptor);
    if (performance.now() > deadlineMs) {
      throw new KeyRingError(`${file} is locked: another change is under way. Try again after it.`);
    }
  }
}

/** Replaces a ring by the result of `change`. Concurrent changes run one after another. */
export async function updateRingFile(
  path: string,
  change: (ring: KeyRing) => KeyRing,
): Promise<KeyRing> {
  // The target of a symbolic link is replaced, not the link.
  const file = realpathSync(path);
  const descriptor = await lockFile(file);
  try {
    const ring = change(readRingFile(file));
    const text = formatRing(ring);
    // Only a ring that the API can read may replace the file.
    parseRing(file, text);
    replacePrivateFile(file, text);
    return ring;
  } finally {
    closeSync(descriptor);
  }
}

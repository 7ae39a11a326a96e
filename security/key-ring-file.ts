import { readFileSync, realpathSync } from 'node:fs';
import { lock } from 'proper-lockfile';
import { formatRing, parseRing } from './key-ring-json.ts';
import { KeyRingError, type KeyRing } from './key-ring.ts';
import { createPrivateFile, replacePrivateFile } from './private-file.ts';

/**
 * The file of a key ring. The functions throw the errors of `node:fs`, and {@link KeyRingError} for
 * a file that is not a key ring.
 */

/** A change takes milliseconds; one that does not get the lock within three seconds gives up. */
const lockRetries = { retries: 60, factor: 1, minTimeout: 50 };

export const readRingFile = (file: string): KeyRing => parseRing(file, readFileSync(file, 'utf8'));

/** Creates the file of a new ring. Answers false if the file exists already. */
export const createRingFile = (file: string, ring: KeyRing): boolean =>
  createPrivateFile(file, formatRing(ring));

async function acquireLock(file: string): Promise<() => Promise<void>> {
  try {
    // A lock is never taken over: its owner may be paused, or run on another machine.
    return await lock(file, {
      realpath: false,
      stale: Infinity,
      update: 60_000,
      retries: lockRetries,
    });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ELOCKED')) throw error;
    throw new KeyRingError(
      `${file}.lock exists. If no other change is under way, one was killed: remove the lock.`,
    );
  }
}

/** Replaces a ring by the result of `change`. Concurrent changes run one after another. */
export async function updateRingFile(
  path: string,
  change: (ring: KeyRing) => KeyRing,
): Promise<KeyRing> {
  // The target of a symbolic link is replaced, not the link.
  const file = realpathSync(path);
  const release = await acquireLock(file);
  try {
    const ring = change(readRingFile(file));
    const text = formatRing(ring);
    // Only a ring that the API can read may replace the file.
    parseRing(file, text);
    replacePrivateFile(file, text);
    return ring;
  } finally {
    await release();
  }
}

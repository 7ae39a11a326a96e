import { realpathSync } from 'node:fs';
import { formatRing, parseRing } from './key-ring-json.ts';
import type { KeyRing } from './key-ring.ts';
import { createPrivateFile, readPrivateFile, replacePrivateFile } from './private-file.ts';

/**
 * The file of a key ring. The functions throw the errors of `node:fs`, KeyRingError for a file that
 * is not a key ring, and ExposedFileError for one that other users can read.
 */

export const readRingFile = (file: string): KeyRing => parseRing(file, readPrivateFile(file));

/** Creates the file of a new ring. Returns false if the file exists already. */
export const createRingFile = (file: string, ring: KeyRing): boolean =>
  createPrivateFile(file, formatRing(ring));

/**
 * Replaces a ring by the result of `change`. Of two processes that do so within the same
 * milliseconds, the later one wins: the other finds later that its key does not sign.
 */
export function updateRingFile(path: string, change: (ring: KeyRing) => KeyRing): KeyRing {
  // The target of a symbolic link is replaced, not the link.
  const file = realpathSync(path);
  const ring = change(readRingFile(file));
  const text = formatRing(ring);
  // Only a ring that the API can read may replace the file.
  parseRing(file, text);
  replacePrivateFile(file, text);
  return ring;
}

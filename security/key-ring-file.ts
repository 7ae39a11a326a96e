import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatRing, parseRing } from './key-ring-form.ts';
import { KeyRingError, type KeptRing } from './key-ring.ts';

/** A ring's file: only its owner may read it, it is never seen half written, and two changes never meet. */

/** A change takes milliseconds. */
const lockWaitMs = 3000;
const lockRetryMs = 20;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';

/** Reads a ring. Throws {@link KeyRingError} with the file's name when it is not there, or none. */
export function readRing(file: string): KeptRing {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    throw new KeyRingError(`${file} cannot be read: ${codeOf(error)}`);
  }
  return parseRingOf(file, text);
}

/** {@link parseRing} with the file's name in its message. */
export function parseRingOf(file: string, text: string): KeptRing {
  try {
    return parseRing(text);
  } catch (error) {
    if (!(error instanceof KeyRingError)) throw error;
    throw new KeyRingError(`${file} is no key ring: ${error.message}`);
  }
}

/** Writes a file through to the disk, so that a name given to it never leads to half of it. */
function writeThrough(file: string, text: string, like: fs.Stats | null): void {
  fs.rmSync(file, { force: true });
  const descriptor = fs.openSync(file, 'wx', 0o600);
  try {
    // Changed by root, it must stay readable by those who read it before.
    if (like !== null && (like.uid !== process.geteuid?.() || like.gid !== process.getegid?.())) {
      fs.fchownSync(descriptor, like.uid, like.gid);
    }
    if (like !== null) fs.fchmodSync(descriptor, like.mode & 0o660);
    fs.writeFileSync(descriptor, text);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

function syncFolderOf(file: string): void {
  const descriptor = fs.openSync(dirname(file), 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Makes a ring's file; answers false, and leaves it alone, when there is one. */
export function createRing(file: string, ring: KeptRing): boolean {
  const draft = `${file}.${randomUUID()}`;
  try {
    writeThrough(draft, formatRing(ring), null);
    // A link, unlike a rename, takes nothing's place.
    fs.linkSync(draft, file);
    syncFolderOf(file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw new KeyRingError(`${file} cannot be written: ${codeOf(error)}`);
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

async function takeLock(lock: string): Promise<void> {
  for (const until = performance.now() + lockWaitMs; ; await sleep(lockRetryMs)) {
    try {
      fs.closeSync(fs.openSync(lock, 'wx', 0o600));
      return;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST')
        throw new KeyRingError(`${lock} cannot be made: ${codeOf(error)}`);
    }
    // Not taken over: whether its maker is alive, on another machine too, only people can tell.
    if (performance.now() > until) {
      throw new KeyRingError(
        `${lock} is there: if no other change is under way, one was killed; remove it`,
      );
    }
  }
}

/** Puts a changed ring in the place of the one there is, and answers it. Of several at a time, each sees the one before. */
export async function changeRing(
  name: string,
  change: (ring: KeptRing) => KeptRing,
): Promise<KeptRing> {
  // A link to the file stays one.
  const file = fs.existsSync(name) ? fs.realpathSync(name) : name;
  const lock = `${file}.lock`;
  const draft = `${file}.new`;
  await takeLock(lock);
  try {
    const ring = change(readRing(file));
    const text = formatRing(ring);
    // What nobody could read must not take its place.
    parseRing(text);
    writeThrough(draft, text, fs.statSync(file));
    fs.renameSync(draft, file);
    syncFolderOf(file);
    return ring;
  } catch (error) {
    if (error instanceof KeyRingError) throw error;
    throw new KeyRingError(`${file} cannot be written: ${codeOf(error)}`);
  } finally {
    fs.rmSync(draft, { force: true });
    fs.rmSync(lock, { force: true });
  }
}

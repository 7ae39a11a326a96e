import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname } from 'node:path';

/**
 * Files with secrets. If a process is killed at any moment, readers find the old content or the new
 * content, never a part. The functions are synchronous and throw the errors of `node:fs`.
 */

function syncDirectory(file: string): void {
  const descriptor = fs.openSync(dirname(file), 'r');
  fs.fsyncSync(descriptor);
  fs.closeSync(descriptor);
}

/** A file with secrets that other users can read or change. */
export class ExposedFileError extends Error {
  override readonly name = 'ExposedFileError';
}

/**
 * Whether a file of this owner and mode is open to users besides its owner. A file of root, or of
 * another user than the reader, may be open to its group: by it a process reads a mounted secret.
 */
export function isExposed(
  { uid, mode }: { readonly uid: number; readonly mode: number },
  readerUid: number,
): boolean {
  return (mode & (uid === 0 || uid !== readerUid ? 0o007 : 0o077)) !== 0;
}

/**
 * Reads a file with secrets. Throws {@link ExposedFileError} if other users can read or change it;
 * Windows has no modes, so there it does not check.
 */
export function readPrivateFile(file: string): string {
  const descriptor = fs.openSync(file, 'r');
  try {
    const stats = fs.fstatSync(descriptor);
    const readerUid = process.getuid?.();
    if (readerUid !== undefined && isExposed(stats, readerUid)) {
      const mode = (stats.mode & 0o777).toString(8).padStart(3, '0');
      throw new ExposedFileError(
        `${file} is open to other users (mode ${mode}). Run: chmod 600 ${file}. ` +
          'If others may have read it, replace the keys in it.',
      );
    }
    return fs.readFileSync(descriptor, 'utf8');
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Writes a draft beside a file, which `put` makes the file itself. The draft does not stay. */
function writeDraft(file: string, text: string, put: (draft: string) => void): void {
  const draft = `${file}.${randomUUID()}`;
  try {
    fs.writeFileSync(draft, text, { mode: 0o600, flush: true });
    put(draft);
    syncDirectory(file);
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/** Creates a file that only its owner may read. Returns false if the file exists already. */
export function createPrivateFile(file: string, text: string): boolean {
  if (fs.existsSync(file)) return false;
  try {
    // Unlike a rename, a link fails if a concurrent process has created the file.
    writeDraft(file, text, (draft) => fs.linkSync(draft, file));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Replaces a file, with its owner, group and mode. */
export function replacePrivateFile(file: string, text: string): void {
  const { uid, gid, mode } = fs.statSync(file);
  writeDraft(file, text, (draft) => {
    // Fails if the file belongs to another user, who could not read the new one.
    fs.chownSync(draft, uid, gid);
    fs.chmodSync(draft, mode & 0o660);
    fs.renameSync(draft, file);
  });
}

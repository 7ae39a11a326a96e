import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Output } from './output.ts';

/** Makes the names in a folder last, where the system can. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

/**
 * Replaces a file as a whole, so that a reader after a crash finds the old content or the new one.
 * Only its owner can read it.
 */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { mode: 0o600, flush: true });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(file));
}

/** Renames state that cannot be used, a file or a folder, and says so. */
export async function setAside(path: string, { note }: Pick<Output, 'note'>): Promise<void> {
  const aside = `${path}.broken`;
  await rm(aside, { recursive: true, force: true });
  await rename(path, aside);
  note(`${path} is cut or damaged. It is set aside as ${aside}.`);
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Whether a state file is there, whatever it has. */
export const isStored = async (file: string): Promise<boolean> =>
  (await stat(file).catch(() => null)) !== null;

/** The value of a JSON file, or why there is none. */
export async function readJson<T>(
  file: string,
  isForm: (value: unknown) => value is T,
): Promise<{ readonly value: T } | 'missing' | 'broken'> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isForm(value) ? { value } : 'broken';
  } catch (error) {
    if (error instanceof SyntaxError) return 'broken';
    if (isMissing(error)) return 'missing';
    throw error;
  }
}

/** The value of a state file; null if there is none, or if it had to be set aside. */
export async function readStateFile<T>(
  file: string,
  isForm: (value: unknown) => value is T,
  output: Pick<Output, 'note'>,
): Promise<T | null> {
  const read = await readJson(file, isForm);
  if (read === 'broken') await setAside(file, output);
  return typeof read === 'string' ? null : read.value;
}

/** Whether a value is an object whose fields have these types. */
export const hasFields = (
  value: unknown,
  fields: Readonly<Record<string, 'string' | 'number' | 'object'>>,
): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(fields).every(
    ([name, type]) => typeof (value as Record<string, unknown>)[name] === type,
  );

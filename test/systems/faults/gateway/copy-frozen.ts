import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Part } from './part.ts';

const run = promisify(execFile);

/** A folder as it was at an instant (ms of `Date.now`). */
export type FolderCopy = { readonly path: string; readonly atMs: number };

/**
 * Copies the data of a server while all its processes are stopped, as a snapshot of its disk does.
 */
export async function copyFrozen(server: Part, folder: string): Promise<FolderCopy> {
  // The second call reaches a process that began during the first one.
  await server.freeze();
  await server.freeze();
  const atMs = Date.now();
  const path = `${folder}.copy`;
  await run('cp', ['-a', folder, path]);
  await server.thaw();
  return { path, atMs };
}

/** Gives a server that does not run the data of a copy, or none. */
export async function restoreCopy(copy: FolderCopy | null, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  if (copy === null) return;
  await run('cp', ['-a', copy.path, folder]);
  // The copied server ran under this pid.
  await rm(join(folder, 'postmaster.pid'), { force: true });
}

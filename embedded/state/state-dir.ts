import { chmod, mkdir, rename, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

const LOG_BYTES_MAX = 20 * 1024 * 1024;

/** The folder of an embedded start (GATEWAY_HOME) and the paths in it. */
export type StateDir = ReturnType<typeof statePaths>;

const statePaths = (path: string) => ({
  path,
  postgres: join(path, 'postgres'),
  temporal: join(path, 'temporal', 'temporal.db'),
  cache: join(path, 'cache'),
  pids: join(path, 'pids'),
  log: (name: string) => join(path, 'logs', `${name}.log`),
});

/**
 * Creates a folder and its parents. The recursive `mkdir` of Node does not end below `/proc`, and
 * calls a read-only file system a missing folder.
 */
async function createFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const parent = dirname(path);
    if (code === 'ENOENT' && parent !== path) {
      await createFolder(parent, mode);
      await mkdir(path, { mode });
    } else if (code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
  }
}

/**
 * Creates the folder, private to our user, and moves each log above 20 MB aside to `NAME.log.1`.
 */
export async function prepareStateDir(configured: string): Promise<StateDir> {
  const stateDir = statePaths(resolve(configured));
  await createFolder(stateDir.path, 0o711);
  for (const name of ['logs', 'cache', 'temporal']) {
    const folder = join(stateDir.path, name);
    await createFolder(folder, 0o700);
    await chmod(folder, 0o700);
  }
  for (const name of ['api', 'worker', 'postgres', 'temporal']) {
    const log = stateDir.log(name);
    const size = (await stat(log).catch(() => undefined))?.size ?? 0;
    if (size > LOG_BYTES_MAX) await rename(log, `${log}.1`);
  }
  return stateDir;
}

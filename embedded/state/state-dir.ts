import { chmod, mkdir, rename, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

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
 * Creates the folder, private to our user, and moves each log above 20 MB aside to `NAME.log.1`.
 */
export async function prepareStateDir(configured: string): Promise<StateDir> {
  const stateDir = statePaths(resolve(configured));
  await mkdir(stateDir.path, { recursive: true, mode: 0o711 });
  for (const name of ['logs', 'cache', 'temporal']) {
    const folder = join(stateDir.path, name);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
  }
  for (const name of ['api', 'worker', 'postgres', 'temporal']) {
    const log = stateDir.log(name);
    const size = (await stat(log).catch(() => undefined))?.size ?? 0;
    if (size > LOG_BYTES_MAX) await rename(log, `${log}.1`);
  }
  return stateDir;
}

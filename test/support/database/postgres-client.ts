import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** An earlier pg_dump refuses the server. */
const majorMin = 18;
/** Where `.ci/postgres-client/install`, Debian and others put the programs. */
const folders = [
  fileURLToPath(new URL('../../../.cache/postgres-client/bin', import.meta.url)),
  `/usr/lib/postgresql/${majorMin}/bin`,
  ...(process.env['PATH'] ?? '').split(':'),
];

/** The version of a pg_dump: `pg_dump (PostgreSQL) 18.1`. */
const majorOf = (program: string): number =>
  Number(/ (\d+)\./.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[1]);

/** The folder of a pg_dump and pg_restore that fit the embedded server; null: there is none. */
export const postgresClient: string | null =
  folders.find((folder) => {
    const program = join(folder, 'pg_dump');
    return existsSync(program) && majorOf(program) >= majorMin;
  }) ?? null;

/** The variables by which a client program connects, as docs/operating/backups.md sets them. */
function clientEnvironment(databaseUrl: string): Record<string, string> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  return {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: pathname.slice(1),
  };
}

/** Writes a dump of a database into a file, as docs/operating/backups.md does. */
export async function dumpDatabase(databaseUrl: string, file: string): Promise<void> {
  if (postgresClient === null) throw new Error('Run .ci/postgres-client/install first.');
  await run(join(postgresClient, 'pg_dump'), ['--format=custom', `--file=${file}`], {
    env: clientEnvironment(databaseUrl),
  });
}

/** The commands of docs/operating/backups.md that replace a database by a dump. */
async function documentedSteps(): Promise<string> {
  const page = await readFile(
    new URL('../../../docs/operating/backups.md', import.meta.url),
    'utf8',
  );
  const block = /```sh\n(createdb restored .*?)npm run migrate\n/s.exec(page)?.[1];
  if (block === undefined) throw new Error('docs/operating/backups.md has no steps of a restore');
  return block;
}

/**
 * Restores `gateway.dump` of a folder, as docs/operating/backups.md says. Rejects with the output
 * if a step fails.
 */
export async function restoreDump(databaseUrl: string, folder: string): Promise<void> {
  await run('bash', ['--norc', '-euc', await documentedSteps()], {
    cwd: folder,
    env: {
      ...clientEnvironment(databaseUrl),
      PATH: `${String(postgresClient)}:${String(process.env['PATH'])}`,
    },
  });
}

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { clientEnvironment, postgresClient } from './postgres-client.ts';

const run = promisify(execFile);

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

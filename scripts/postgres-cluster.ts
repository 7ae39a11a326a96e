import { execFile } from 'node:child_process';
import { appendFile, chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Guard } from './guard.ts';
import type { Account } from './postgres-place.ts';
import { processStartTime } from './process-start-time.mjs';

/** The database user of an embedded Postgres. */
export const SUPERUSER = 'postgres';
/** All that Postgres's programs see of our environment, which holds secrets that are not theirs. */
export const PROGRAM_ENVIRONMENT = { PATH: process.env['PATH'], LC_ALL: 'C' };

type ClusterOptions = {
  readonly password: string;
  /** Whether the new files must survive a power cut. */
  readonly isDurable: boolean;
  readonly logFile: string;
  readonly guard: Guard;
};

/** A data folder and what runs it. */
export type Cluster = {
  readonly dataDir: string;
  readonly native: string;
  readonly account: Account | undefined;
};

/** `initdb` into a folder aside that is then renamed, so that one killed in the middle leaves nothing half made. */
export async function initialise(
  { dataDir, native, account }: Cluster,
  options: ClusterOptions,
): Promise<void> {
  if ((await stat(join(dataDir, 'PG_VERSION')).catch(() => undefined)) !== undefined) return;
  const draft = join(dirname(dataDir), `${basename(dataDir)}.new`);
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  const passwordFile = join(draft, 'password');
  await writeFile(passwordFile, `${options.password}\n`, { mode: 0o600 });
  if (account !== undefined) {
    for (const path of [passwordFile, draft]) await chown(path, account.uid, account.gid);
  }
  const cluster = join(draft, 'data');
  const running = promisify(execFile)(
    join(native, 'bin', 'initdb'),
    [
      `--pgdata=${cluster}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      // Postgres's own locale: text sorts alike on every machine, whatever is installed there.
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-instructions',
      ...(!options.isDurable ? ['--no-sync'] : []),
    ],
    { ...account, env: PROGRAM_ENVIRONMENT },
  );
  if (running.child.pid !== undefined) {
    options.guard.watch({ pid: running.child.pid, signal: 'SIGTERM', stage: 'server' });
  }
  const { stdout, stderr } = await running;
  await appendFile(options.logFile, stdout + stderr);
  await rename(cluster, dataDir);
  await rm(draft, { recursive: true, force: true });
}

/**
 * Deals with the postmaster.pid of a server that was killed. Postgres itself ignores a dead one; it gives up when the
 * pid belongs to some stranger by now, and when the old server still runs, which only ours can be: we hold the home.
 */
export async function clearOldServer(dataDir: string): Promise<void> {
  const pidFile = join(dataDir, 'postmaster.pid');
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 0) return;
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  if (commandLine?.includes(dataDir) === true) {
    process.kill(pid, 'SIGINT');
    const startTime = processStartTime(pid);
    for (let tries = 0; tries < 200 && processStartTime(pid) === startTime; tries += 1)
      await sleep(50);
  } else if (commandLine !== undefined) {
    await rm(pidFile, { force: true });
  }
}

/** The eighth line of postmaster.pid is how Postgres tells its own tools that it takes connections. */
export async function isAccepting(dataDir: string, pid: number): Promise<boolean> {
  const lines = (await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '')).split(
    '\n',
  );
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
}

import { appendFile, chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { runProgram } from '../processes/child-process.ts';
import type { Guard } from '../processes/guard.ts';
import {
  findAccount,
  reachableDataDir,
  reachablePrograms,
  type Account,
} from './postgres-account.ts';
import { findPostgresPrograms } from './postgres-programs.ts';

/** The database user of an embedded Postgres. */
export const SUPERUSER = 'postgres';
/** The environment of the Postgres programs: ours has secrets that they must not see. */
export const PROGRAM_ENVIRONMENT = { PATH: process.env['PATH'], LC_ALL: 'C' };

/** A data folder, and the programs and the account to run it with. */
export type Cluster = {
  readonly dataDir: string;
  readonly native: string;
  readonly account: Account | undefined;
};

type ClusterOptions = {
  readonly dataDir: string;
  readonly password: string;
  readonly logFile: string;
  readonly guard: Guard;
};

/** Finds the cluster in `dataDir`, or creates it. */
export async function openCluster(options: ClusterOptions, isDurable: boolean): Promise<Cluster> {
  const programs = await findPostgresPrograms();
  const account = await findAccount(options.dataDir);
  const [dataDir, native] = await Promise.all([
    reachableDataDir(options.dataDir, account),
    reachablePrograms(programs.native, programs.version, account),
  ]);
  const cluster = { dataDir, native, account };
  const isNew = (await stat(join(dataDir, 'PG_VERSION')).catch(() => undefined)) === undefined;
  await (isNew ? initialise(cluster, options, isDurable) : removeStalePidFile(dataDir));
  return cluster;
}

/**
 * Runs initdb in a folder aside and renames it, so that a killed initdb leaves no partial cluster.
 */
async function initialise(
  { dataDir, native, account }: Cluster,
  { password, logFile, guard }: ClusterOptions,
  isDurable: boolean,
): Promise<void> {
  const draft = join(dirname(dataDir), `${basename(dataDir)}.new`);
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  const passwordFile = join(draft, 'password');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account !== undefined) {
    for (const path of [passwordFile, draft]) await chown(path, account.uid, account.gid);
  }
  const newCluster = join(draft, 'data');
  const args = [
    `--pgdata=${newCluster}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    // Postgres's own locale sorts text alike on every machine.
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
    ...(isDurable ? [] : ['--no-sync']),
  ];
  const initdb = join(native, 'bin', 'initdb');
  const output = await runProgram(initdb, args, { ...account, env: PROGRAM_ENVIRONMENT, guard });
  await appendFile(logFile, output, { mode: 0o600 });
  await rename(newCluster, dataDir);
  await rm(draft, { recursive: true, force: true });
}

/**
 * Removes the postmaster.pid of a killed server if another program has its pid now: Postgres would
 * refuse to start. Postgres itself detects a dead pid, and a server that still runs.
 */
async function removeStalePidFile(dataDir: string): Promise<void> {
  const pidFile = join(dataDir, 'postmaster.pid');
  const [pid = ''] = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => dataDir);
  if (!commandLine.includes(dataDir)) await rm(pidFile, { force: true });
}

/** Postgres writes `ready` in line 8 of postmaster.pid when it accepts connections. */
export async function isAccepting(dataDir: string, pid: number): Promise<boolean> {
  const text = await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
}

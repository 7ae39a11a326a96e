import { join } from 'node:path';
import postgres from 'postgres';
import { launch, untilReady, type Child } from './child.ts';
import type { Guard } from './guard.ts';
import {
  clearOldServer,
  initialise,
  isAccepting,
  PROGRAM_ENVIRONMENT,
  SUPERUSER,
  type Cluster,
} from './postgres-cluster.ts';
import { postgresAccount, reachableDataDir, reachablePrograms } from './postgres-place.ts';
import { findPostgresPrograms } from './postgres-programs.ts';

/** Where and how an embedded Postgres runs. */
export type PostgresOptions = {
  readonly dataDir: string;
  readonly port: number;
  readonly password: string;
  readonly database: string;
  /** Settings of postgresql.conf on top of the few that are always given. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly guard: Guard;
};

/** A running embedded Postgres. */
export type EmbeddedPostgres = Child & {
  readonly url: string;
  readonly port: number;
  readonly version: string;
};

async function ensureDatabase(
  url: (database: string) => string,
  database: string,
): Promise<string> {
  const sql = postgres(url('postgres'), { max: 1, onnotice: () => {} });
  try {
    const [row] = await sql<{ version: string; isThere: boolean }[]>`
      select current_setting('server_version') as version,
        exists (select from pg_database where datname = ${database}) as "isThere"`;
    if (row?.isThere !== true) await sql`create database ${sql(database)}`;
    return row?.version ?? '';
  } finally {
    await sql.end();
  }
}

async function findCluster(wanted: string): Promise<Cluster> {
  const programs = await findPostgresPrograms();
  const account = await postgresAccount(wanted);
  const [dataDir, native] = await Promise.all([
    reachableDataDir(wanted, account),
    reachablePrograms(programs.native, programs.version, account),
  ]);
  return { dataDir, native, account };
}

function launchPostgres(
  { dataDir, native, account }: Cluster,
  options: PostgresOptions,
): Promise<Child> {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(options.port),
    unix_socket_directories: '',
    max_connections: '200',
    ...options.settings,
  };
  return launch({
    name: 'Postgres',
    command: join(native, 'bin', 'postgres'),
    args: [
      '-D',
      dataDir,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    env: PROGRAM_ENVIRONMENT,
    logFile: options.logFile,
    guard: options.guard,
    account,
    signal: 'SIGINT',
    stage: 'server',
  });
}

/** Starts Postgres on 127.0.0.1 with its data in `dataDir`, making the cluster and the database at the first start. */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const cluster = await findCluster(options.dataDir);
  await initialise(cluster, { ...options, isDurable: options.settings?.['fsync'] !== 'off' });
  await clearOldServer(cluster.dataDir);
  const child = await launchPostgres(cluster, options);
  await untilReady(child, () => isAccepting(cluster.dataDir, child.pid));
  const url = (database: string) =>
    `postgres://${SUPERUSER}:${encodeURIComponent(options.password)}@127.0.0.1:${options.port}/${database}`;
  try {
    const version = await ensureDatabase(url, options.database);
    return { ...child, url: url(options.database), port: options.port, version };
  } catch (error) {
    await child.stop();
    if (!(error instanceof postgres.PostgresError) || error.code !== '28P01') throw error;
    throw new Error(
      `The password kept in the home does not open the database in ${options.dataDir}. Put keys/postgres-password ` +
        'back, or remove the folder to begin anew.',
      { cause: error },
    );
  }
}

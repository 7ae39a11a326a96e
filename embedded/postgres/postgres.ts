import { join } from 'node:path';
import postgres from 'postgres';
import { startChild, waitUntilReady, type Child } from '../processes/child-process.ts';
import type { Guard } from '../processes/guard.ts';
import { isAccepting, openCluster, PROGRAM_ENVIRONMENT, SUPERUSER } from './postgres-cluster.ts';

/** Where and how to run an embedded Postgres. */
export type PostgresOptions = {
  readonly dataDir: string;
  readonly port: number;
  readonly password: string;
  readonly database: string;
  /** More settings of postgresql.conf. */
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

/** Creates the database if it does not exist, and returns the version of the server. */
async function ensureDatabase(adminUrl: string, database: string): Promise<string> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} });
  try {
    const [row] = await sql<{ version: string; exists: boolean }[]>`
      select current_setting('server_version') as version,
        exists (select from pg_database where datname = ${database})`;
    if (row?.exists !== true) await sql`create database ${sql(database)}`;
    return row?.version ?? '';
  } finally {
    await sql.end();
  }
}

/** Starts Postgres on 127.0.0.1. The first start creates its cluster and the database. */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const { port, password, database, logFile, guard } = options;
  const cluster = await openCluster(options, options.settings?.['fsync'] !== 'off');
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    // The detail of an error has values of rows, such as a vendor's external id.
    log_error_verbosity: 'terse',
    ...options.settings,
  };
  const child = await startChild({
    name: 'Postgres',
    command: join(cluster.native, 'bin', 'postgres'),
    args: [
      '-D',
      cluster.dataDir,
      ...Object.entries(settings).flatMap((pair) => ['-c', pair.join('=')]),
    ],
    env: PROGRAM_ENVIRONMENT,
    logFile,
    guard,
    account: cluster.account,
    signal: 'SIGINT',
    stage: 'server',
  });
  await waitUntilReady(child, () => isAccepting(cluster.dataDir, child.pid));
  const server = `postgres://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}`;
  try {
    const version = await ensureDatabase(`${server}/postgres`, database);
    return { ...child, url: `${server}/${database}`, port, version };
  } catch (error) {
    await child.stop();
    if (!(error instanceof postgres.PostgresError) || error.code !== '28P01') throw error;
    throw new Error(
      `The saved password does not open the database in ${options.dataDir}. Restore ` +
        'keys/postgres-password, or remove the state folder to start with an empty database.',
      { cause: error },
    );
  }
}

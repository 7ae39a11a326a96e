import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type PostgresOptions } from '../../embedded/postgres/postgres.ts';
import { startGuard, type Guard } from '../../embedded/processes/guard.ts';
import { findTemporalCli } from '../../embedded/temporal/temporal-cli.ts';
import { startTemporal, type TemporalOptions } from '../../embedded/temporal/temporal.ts';
import { freePort } from './free-port.ts';

/** A folder that is gone, and whose servers have ended, when its guard is released. */
export type Workspace = { readonly folder: string; readonly guard: Guard };

/** Creates a temporary folder, and a guard that removes it when this process ends. */
export async function createWorkspace(parent = tmpdir()): Promise<Workspace> {
  const folder = await mkdtemp(join(parent, 'vendor-gateway-'));
  const guard = startGuard(join(folder, 'pids'));
  guard.removeAtEnd(folder);
  return { folder, guard };
}

/** A Postgres with the settings of `npm start`. */
export const durable: Partial<PostgresOptions> = { settings: {} };

/** A Postgres whose data is in the workspace; it calls no fsync unless it is {@link durable}. */
export const startTestPostgres = async (
  { folder, guard }: Workspace,
  given: Partial<PostgresOptions> = {},
  name = 'postgres',
) =>
  startPostgres({
    dataDir: join(folder, name),
    port: await freePort(),
    password: randomBytes(16).toString('hex'),
    database: 'gateway',
    settings: { fsync: 'off' },
    logFile: join(folder, `${name}.log`),
    guard,
    ...given,
  });

export const testTemporalCli = ({ guard }: Workspace, log: (line: string) => void) =>
  findTemporalCli({ configured: process.env['TEMPORAL_CLI'] || undefined, log, guard });

/** A Temporal server that keeps its data in memory unless it gets a file. */
export const startTestTemporal = async (
  { folder, guard }: Workspace,
  given: Pick<TemporalOptions, 'cli'> & Partial<TemporalOptions>,
) =>
  startTemporal({
    databaseFile: undefined,
    namespace: 'default',
    port: await freePort(),
    ui: undefined,
    logFile: join(folder, 'temporal.log'),
    guard,
    ...given,
  });

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { migrate } from '../../../db/core/migrate.ts';
import { startPostgres } from '../../../embedded/postgres/postgres.ts';
import { createGuardedFolder } from '../../../embedded/processes/guard.ts';
import { findTemporalCli } from '../../../embedded/temporal/temporal-cli.ts';
import { startTemporal } from '../../../embedded/temporal/temporal.ts';
import { signalTree } from './processes.ts';
import { processTest } from './gateway-processes.ts';
import { freePort } from '../free-port.ts';

/** A server whose processes a test may stop in their tracks, or end. */
export type OwnServer = {
  readonly freeze: () => Promise<void>;
  readonly thaw: () => Promise<void>;
  readonly kill: () => Promise<void>;
};

const controlsOf = (pid: number): OwnServer => ({
  freeze: () => signalTree(pid, 'SIGSTOP'),
  thaw: () => signalTree(pid, 'SIGCONT'),
  kill: () => signalTree(pid, 'SIGKILL'),
});

const log = (): void => {};

async function startOwnServers() {
  const { folder, guard } = await createGuardedFolder();
  try {
    const [postgres, temporal] = await Promise.all([
      startPostgres({
        dataDir: join(folder, 'postgres'),
        port: await freePort(),
        password: randomBytes(16).toString('hex'),
        database: 'gateway',
        settings: { fsync: 'off' },
        logFile: join(folder, 'postgres.log'),
        guard,
      }),
      startTemporal({
        cli: await findTemporalCli({ configured: process.env['TEMPORAL_CLI'], log, guard }),
        databaseFile: undefined,
        namespace: 'default',
        port: await freePort(),
        ui: undefined,
        logFile: join(folder, 'temporal.log'),
        guard,
      }),
    ]);
    await migrate(postgres.url, log);
    return {
      /** What the processes of the gateway need to use them. */
      environment: { DATABASE_URL: postgres.url, TEMPORAL_ADDRESS: temporal.address },
      postgres: controlsOf(postgres.pid),
      temporal: controlsOf(temporal.pid),
      release: () => guard.release(),
    };
  } catch (error) {
    await guard.release();
    throw error;
  }
}

/** Gives a file a Postgres and a Temporal server that no other test uses. */
export const ownServersTest = processTest.extend(
  'servers',
  { scope: 'file' },
  async ({}, { onCleanup }) => {
    const servers = await startOwnServers();
    onCleanup(async () => {
      // A frozen process ends at no other signal than SIGKILL.
      await Promise.allSettled([servers.postgres.thaw(), servers.temporal.thaw()]);
      await servers.release();
    });
    return servers;
  },
);

import { migrate } from '../../../db/core/migrate.ts';
import { createGuardedFolder } from '../../../embedded/processes/guard.ts';
import { startTestPostgres, startTestTemporal } from '../servers.ts';
import { signalTree } from './processes.ts';
import { processTest } from './gateway-processes.ts';

/** Stops the processes of a server in their tracks, or ends them. */
const controlsOf = (pid: number) => ({
  freeze: () => signalTree(pid, 'SIGSTOP'),
  thaw: () => signalTree(pid, 'SIGCONT'),
  kill: () => signalTree(pid, 'SIGKILL'),
});

const log = (): void => {};

async function startOwnServers() {
  const workspace = await createGuardedFolder();
  const { guard } = workspace;
  try {
    const [postgres, temporal] = await Promise.all([
      startTestPostgres(workspace),
      startTestTemporal(workspace, log),
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

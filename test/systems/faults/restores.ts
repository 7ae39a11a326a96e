import { join } from 'node:path';
import { connect } from '../../../db/core/client.ts';
import { migrate } from '../../../db/core/migrate.ts';
import {
  dumpDatabase,
  postgresClient,
  restoreDump,
} from '../../support/database/postgres-client.ts';
import { bringBack, bringBackNow, takeAway, type Fault } from './fault.ts';
import { environment } from './gateway/fault-gateway.ts';
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Part } from './gateway/part.ts';

const run = promisify(execFile);

/** A folder as it was at an instant (ms of `Date.now`). */
type FolderCopy = { readonly path: string; readonly atMs: number };

/**
 * Copies the data of a server while all its processes are stopped, as a snapshot of its disk does.
 */
async function copyFrozen(server: Part, folder: string): Promise<FolderCopy> {
  // The second call reaches a process that began during the first one.
  server.freeze();
  server.freeze();
  const atMs = Date.now();
  const path = `${folder}.copy`;
  await run('cp', ['-a', folder, path]);
  server.thaw();
  return { path, atMs };
}

/** Gives a server that does not run the data of a copy, or none. */
async function restoreCopy(copy: FolderCopy | null, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  if (copy === null) return;
  await run('cp', ['-a', copy.path, folder]);
  // The copied server ran under this pid.
  await rm(join(folder, 'postmaster.pid'), { force: true });
}

const partsBetween = 4;
/** The newest histories are enough: the doctor reads them one by one. */
const repair = ['--repair', '--histories', '300'];

/** Ends the connections of the drill to the database, which the restore renames. */
async function endConnections(databaseUrl: string): Promise<void> {
  const sql = connect(databaseUrl.replace(/[^/]+$/, 'postgres'), { max: 1, name: 'faults' });
  await sql`alter database gateway allow_connections false`;
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'gateway'`;
  await sql.end();
}

/** Faults after which Postgres and Temporal are not of the same instant. */
export const restores: readonly Fault[] = [
  {
    id: 'temporal-lost',
    title: "Temporal's database lost altogether",
    how: 'kill -9, and Temporal starts with an empty database.',
    inject: async (gateway) => {
      await takeAway(gateway, ['temporal']);
      await restoreCopy(null, gateway.temporalFolder);
      return bringBackNow(gateway, ['temporal']);
    },
  },
  {
    id: 'postgres-restored',
    title: 'Postgres restored to an earlier point, Temporal newer',
    how:
      'A copy of its disk is restored after each story has ended four more turns, by ' +
      '[the steps of a restore](operating/backups.md).',
    inject: async (gateway, { goOn, forget }) => {
      const copy = await copyFrozen(gateway.postgres, gateway.postgresData);
      await goOn(partsBetween);
      await takeAway(gateway, ['api', 'worker', 'postgres']);
      await restoreCopy(copy, gateway.postgresData);
      const overMs = Date.now();
      await bringBack(gateway, ['postgres']);
      await forget(copy.atMs);
      await bringBack(gateway, ['worker']);
      await gateway.doctor(...repair);
      await bringBack(gateway, ['api']);
      return overMs;
    },
  },
  {
    id: 'dump-restored',
    title: 'A dump of Postgres restored, Temporal newer',
    how: 'The same with `pg_dump` while the clients call, and `pg_restore`.',
    missing: () => (postgresClient === null ? '.ci/postgres-client/install' : null),
    inject: async (gateway, { goOn, forget }) => {
      const { api, worker, databaseUrl } = gateway;
      const dumpedMs = Date.now();
      await dumpDatabase(databaseUrl, join(gateway.folder, 'gateway.dump'));
      await goOn(partsBetween);
      await api.shutDown();
      await worker.shutDown();
      const overMs = Date.now();
      await endConnections(databaseUrl);
      await restoreDump(databaseUrl, gateway.folder);
      await migrate(databaseUrl, () => undefined, environment);
      await forget(dumpedMs);
      await worker.bringBack();
      await gateway.doctor(...repair);
      await api.bringBack();
      return overMs;
    },
  },
  {
    id: 'temporal-restored',
    title: 'Temporal restored to an earlier point, Postgres newer',
    how:
      'A copy of its database is restored after each story has ended four more turns, while no ' +
      'worker runs, as [operating](operating/backups.md) says.',
    inject: async (gateway, { goOn }) => {
      const copy = await copyFrozen(gateway.temporal, gateway.temporalFolder);
      await goOn(partsBetween);
      await takeAway(gateway, ['worker', 'temporal']);
      await restoreCopy(copy, gateway.temporalFolder);
      return bringBackNow(gateway, ['temporal', 'worker']);
    },
  },
];

import { join } from 'node:path';
import { migrate } from '../../db/core/migrate.ts';
import { postgresClient, runPostgresClient } from '../support/database/postgres-client.ts';
import { bringBack, takeAway, type Fault } from './fault.ts';
import { copyFrozen, restoreCopy } from './gateway/copy-frozen.ts';

const partsBetween = 4;
/** The newest histories are enough: the doctor reads them one by one. */
const repair = ['--repair', '--histories', '300'];

/** Faults after which Postgres and Temporal are not of the same instant. */
export const restores: readonly Fault[] = [
  {
    id: 'temporal-lost',
    title: "Temporal's database lost altogether",
    how: 'kill -9, and Temporal starts with an empty database.',
    inject: async (gateway) => {
      await takeAway(gateway, ['temporal']);
      await restoreCopy(null, gateway.temporalFolder);
      const overMs = Date.now();
      await bringBack(gateway, ['temporal']);
      return overMs;
    },
  },
  {
    id: 'postgres-restored',
    title: 'Postgres restored to an earlier point, Temporal newer',
    how:
      'A copy of its disk is restored after each story has ended four more parts, by ' +
      '[the steps of a restore](operating.md#backups).',
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
      const file = join(gateway.folder, 'gateway.dump');
      const dumpedMs = Date.now();
      await runPostgresClient('pg_dump', ['--format=custom', `--file=${file}`], databaseUrl);
      await goOn(partsBetween);
      await api.shutDown();
      await worker.shutDown();
      const overMs = Date.now();
      const options = ['--clean', '--if-exists', '--single-transaction', '--dbname=gateway'];
      await runPostgresClient('pg_restore', [...options, file], databaseUrl);
      await migrate(databaseUrl, () => undefined);
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
      'A copy of its database is restored after each story has ended four more parts, while no ' +
      'worker runs, as [operating](operating.md#backups) says.',
    inject: async (gateway, { goOn }) => {
      const copy = await copyFrozen(gateway.temporal, gateway.temporalFolder);
      await goOn(partsBetween);
      await takeAway(gateway, ['worker', 'temporal']);
      await restoreCopy(copy, gateway.temporalFolder);
      const overMs = Date.now();
      await bringBack(gateway, ['temporal', 'worker']);
      return overMs;
    },
  },
];

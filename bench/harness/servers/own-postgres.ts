import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import getPort from 'get-port';
import type { Guard } from '../../../embedded/processes/guard.ts';
import { startPostgres, type EmbeddedPostgres } from '../../../embedded/postgres/postgres.ts';

/** Starts a durable Postgres on loopback with the settings of `npm start`, and its database. */
export const startOwnPostgres = async (
  { folder, guard }: { readonly folder: string; readonly guard: Guard },
  database: string,
): Promise<EmbeddedPostgres> =>
  startPostgres({
    dataDir: join(folder, 'postgres'),
    port: await getPort({ host: '127.0.0.1' }),
    password: randomBytes(16).toString('hex'),
    database,
    logFile: join(folder, 'postgres.log'),
    guard,
  });

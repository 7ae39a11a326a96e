import type { Client } from '@temporalio/client';
import type { Config } from '../process/config.ts';
import { connectTemporal, findDatabaseUrl } from '../embedded/state/gateway-services.ts';
import type { Queryable } from '../db/core/client.ts';
import { findNewerDatabase, type NewerDatabase } from '../db/core/newer-version.ts';
import { version } from '../process/version.ts';
import { Refusal } from './command-line.ts';

/** Names the versions of a database and of the gateway. */
export const newerText = ({ ofDatabase, ofVersion }: NewerDatabase): string =>
  `the database is of a newer version: its newest migration is ${ofDatabase}, and the newest of ` +
  `this version, ${version}, is ${ofVersion}`;

/**
 * Throws {@link Refusal} for the database of a newer version, whose rows a command of this one
 * could change to what they meant before.
 */
export async function requireOwnVersion(sql: Queryable, command: string): Promise<void> {
  const newer = await findNewerDatabase(sql);
  if (newer === null) return;
  throw new Refusal(
    `Refused: ${newerText(newer)}. Nothing was changed. Run \`${command}\` of the newer version.`,
  );
}

/** A client of the configured or started Temporal. Throws {@link Refusal} if there is none. */
export async function requireTemporal(config: Config): Promise<Client> {
  const client = await connectTemporal(config);
  if (client !== null) return client;
  throw new Refusal(
    'No Temporal server: set TEMPORAL_ADDRESS, or start a gateway with `npm start` first.',
  );
}

/** The configured or started gateway. Throws {@link Refusal} if there is none. */
export async function requireGateway(
  config: Config,
): Promise<{ readonly databaseUrl: string; readonly client: Client }> {
  const databaseUrl = await findDatabaseUrl(config);
  const client = await connectTemporal(config);
  if (databaseUrl !== null && client !== null) return { databaseUrl, client };
  throw new Refusal(
    'No gateway: set DATABASE_URL and TEMPORAL_ADDRESS, or start one with `npm start` first.',
  );
}

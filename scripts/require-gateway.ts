import type { Client } from '@temporalio/client';
import type { Config } from '../process/config.ts';
import { connectTemporal, findDatabaseUrl } from '../embedded/state/gateway-services.ts';
import { Refusal } from './command-line.ts';

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

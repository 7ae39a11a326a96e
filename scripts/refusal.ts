import type { Client } from '@temporalio/client';
import type { Config } from '../process/config.ts';
import { connectTemporal } from '../embedded/state/gateway-services.ts';

/** A reason that a command prints before it ends with 1. */
export class Refusal extends Error {}

/** A client of the configured or started Temporal. Throws {@link Refusal} if there is none. */
export async function requireTemporal(config: Config): Promise<Client> {
  const client = await connectTemporal(config);
  if (client !== null) return client;
  throw new Refusal(
    'No Temporal server: set TEMPORAL_ADDRESS, or start a gateway with `npm start` first.',
  );
}

import { Connection, type Client } from '@temporalio/client';
import { loadConfigOrExit, type Config } from '../../process/config.ts';
import { clientOver } from '../../temporal/connection/client-over.ts';
import { clientOptions, routeText } from '../../temporal/connection/connection-options.ts';
import { readRuntimeInfo } from './runtime-info.ts';

/** The database of the configuration, else of the gateway that runs by `npm start`; or null. */
export const findDatabaseUrl = async (config: Config): Promise<string | null> =>
  config.DATABASE_URL ?? (await readRuntimeInfo(config.GATEWAY_HOME))?.databaseUrl ?? null;

/**
 * Connects to the Temporal server of the configuration, else to that of the gateway that runs by
 * `npm start`. Null if there is neither. The caller closes the connection. Rejects if the server
 * does not answer, with its address and the variable of a proxy.
 */
export async function connectTemporal(config: Config): Promise<Client | null> {
  const info = await readRuntimeInfo(config.GATEWAY_HOME);
  const address = config.TEMPORAL_ADDRESS ?? info?.temporalAddress;
  if (address === undefined) return null;
  const chosen = loadConfigOrExit([], { TEMPORAL_ADDRESS: address });
  const connection = await Connection.connect(clientOptions(chosen)).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`no connection to ${routeText(chosen)}: ${reason}`, { cause: error });
  });
  return clientOver(connection, config);
}

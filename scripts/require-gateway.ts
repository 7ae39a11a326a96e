import { Connection, type Client } from '@temporalio/client';
import { connect, type Queryable } from '../db/core/client.ts';
import {
  findNewerDatabase,
  requireEnvironment,
  type NewerDatabase,
} from '../db/core/installation.ts';
import type { Environment } from '../domain/accounts/credentials.ts';
import { InstallationProblem } from '../domain/installation.ts';
import { readRuntimeInfo, type RuntimeInfo } from '../embedded/state/runtime-info.ts';
import { loadConfigOrExit, type Config } from '../process/config.ts';
import { version } from '../process/version.ts';
import { clientOver } from '../temporal/connection/client-over.ts';
import { clientOptions, routeText } from '../temporal/connection/connection-options.ts';
import { requireNamespace } from '../temporal/namespace-owner.ts';
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

/** With its cause, because Temporal's client wraps its errors by `Failed to describe schedule`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

/**
 * The database of the configuration, else of the gateway that runs by `npm start`; or null. Throws
 * InstallationProblem if it has another environment than GATEWAY_ENVIRONMENT; without that
 * variable, a gateway of `npm start` has its own. Throws {@link Refusal} if it cannot be read.
 */
export async function findDatabaseUrl(config: Config): Promise<string | null> {
  const info = await readRuntimeInfo(config.GATEWAY_HOME);
  const url = config.DATABASE_URL ?? info?.databaseUrl;
  if (url === undefined) return null;
  const sql = connect(url, { max: 1, name: 'vendor-gateway command' });
  try {
    const isOfInfo = config.DATABASE_URL === undefined;
    await requireEnvironment(sql, environmentOf(config, isOfInfo ? info : undefined));
  } catch (error) {
    if (error instanceof InstallationProblem) throw error;
    throw new Refusal(
      `The database cannot be read: ${reasonOf(error)}. Check DATABASE_URL and Postgres.`,
    );
  } finally {
    await sql.end({ timeout: 5 });
  }
  return url;
}

/**
 * Connects to the Temporal server of the configuration. Without one, connects to the server of the
 * gateway that runs by `npm start`. Null if there is neither. The caller closes the connection.
 * Throws {@link Refusal} if it does not answer, with its address and the variable of a proxy.
 */
async function connectTemporal(config: Config): Promise<Client | null> {
  const info = await readRuntimeInfo(config.GATEWAY_HOME);
  const address = config.TEMPORAL_ADDRESS ?? info?.temporalAddress;
  if (address === undefined) return null;
  const chosen = loadConfigOrExit(['TEMPORAL_TLS'], { TEMPORAL_ADDRESS: address });
  const connection = await Connection.connect(clientOptions(chosen)).catch((error: unknown) => {
    throw new Refusal(
      `Temporal does not answer: no connection to ${routeText(chosen)}: ${reasonOf(error)}. ` +
        'Check TEMPORAL_ADDRESS.',
    );
  });
  const client = clientOver(connection, config);
  const environment = environmentOf(config, info);
  await requireNamespace(client, { taskQueue: config.TEMPORAL_TASK_QUEUE, environment }).catch(
    async (error: unknown) => {
      await connection.close();
      if (error instanceof InstallationProblem) throw error;
      throw new Refusal(
        `The namespace ${config.TEMPORAL_NAMESPACE} cannot be read: ${reasonOf(error)}. ` +
          'Check TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE.',
      );
    },
  );
  return client;
}

/**
 * The configured environment; without GATEWAY_ENVIRONMENT, a gateway of `npm start` has its own.
 */
const environmentOf = (config: Config, info: RuntimeInfo | undefined): Environment =>
  (process.env['GATEWAY_ENVIRONMENT'] ?? '').trim() === '' && info !== undefined
    ? info.environment
    : config.GATEWAY_ENVIRONMENT;

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

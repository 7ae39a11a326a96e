import { choosePort } from './ports.ts';
import { startPostgres } from './postgres/postgres.ts';
import { allowProcessRoles } from './postgres/process-roles.ts';
import { startPart, type EmbeddedContext } from './start-part.ts';
import { findTemporalCli } from './temporal/temporal-cli.ts';
import { startTemporal } from './temporal/temporal.ts';
import { chooseHiddenEndpoint, startUiProxy } from './temporal/ui-proxy.ts';

/**
 * Returns the configured database, or a database of the embedded Postgres, in which the API and the
 * worker each have a role of their own. `ownerUrl` migrates; call `processUrls` after the
 * migration, which creates the roles.
 */
export async function startDatabase(context: EmbeddedContext, password: string) {
  const { config, stateDir, guard, log } = context;
  if (config.DATABASE_URL !== undefined) {
    log('Postgres: using the server of DATABASE_URL.');
    const given = config.DATABASE_URL;
    return {
      ownerUrl: config.MIGRATION_DATABASE_URL ?? given,
      processUrls: () => Promise.resolve({ apiUrl: given, workerUrl: given }),
    };
  }
  const { url } = await startPart(
    context,
    ({ version, port }) => `Postgres ${version} ready on ${port}`,
    async () => {
      const port = await choosePort(log, 'Postgres', config.POSTGRES_PORT);
      const files = { dataDir: stateDir.postgres, logFile: stateDir.log('postgres') };
      return () => startPostgres({ ...files, port, password, database: 'gateway', guard });
    },
  );
  return { ownerUrl: url, processUrls: () => allowProcessRoles(url) };
}

/** The address of a Temporal server and the URL of its Web UI. */
export type TemporalEndpoints = { readonly address: string; readonly uiUrl: string };

/** Returns the configured Temporal server, or starts an embedded one with its Web UI, read-only. */
export async function startTemporalServer(context: EmbeddedContext): Promise<TemporalEndpoints> {
  const { config, stateDir, guard, log } = context;
  if (config.TEMPORAL_ADDRESS !== undefined) {
    log(`Temporal: using the server at ${config.TEMPORAL_ADDRESS}.`);
    return { address: config.TEMPORAL_ADDRESS, uiUrl: config.TEMPORAL_UI_URL };
  }
  const cli = await findTemporalCli({ configured: config.TEMPORAL_CLI, log, guard });
  const uiPort = await choosePort(log, 'the Temporal UI', config.TEMPORAL_UI_PORT);
  const uiUrl = `http://127.0.0.1:${uiPort}`;
  const upstream = await chooseHiddenEndpoint();
  const hostNames = [new URL(config.TEMPORAL_UI_URL).hostname];
  await startUiProxy({ port: uiPort, upstream, hostNames });
  const { address } = await startPart(
    context,
    (temporal) => `Temporal ready at ${temporal.address}, its UI at ${uiUrl}`,
    async () => {
      const port = await choosePort(log, 'Temporal', config.TEMPORAL_PORT);
      const files = { databaseFile: stateDir.temporal, logFile: stateDir.log('temporal') };
      const namespace = config.TEMPORAL_NAMESPACE;
      return () => startTemporal({ cli, ...files, namespace, port, ui: upstream, guard });
    },
  );
  return { address, uiUrl };
}

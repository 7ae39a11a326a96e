import { startPostgres } from './postgres.ts';
import { keepRunning, type StartContext } from './start-context.ts';
import { findTemporalCli } from './temporal-cli.ts';
import { startTemporal } from './temporal.ts';

/** The database to use: the configured one, else an embedded Postgres. */
export async function startDatabase(context: StartContext, password: string): Promise<string> {
  const { config, home, guard, progress, choosePort } = context;
  if (config.DATABASE_URL !== undefined) {
    progress.say('Postgres: the one of DATABASE_URL is used.');
    return config.DATABASE_URL;
  }
  const port = await choosePort('Postgres', config.POSTGRES_PORT);
  const postgres = await progress.step(
    () =>
      keepRunning(context, 'server', () =>
        startPostgres({
          dataDir: home.postgres,
          port,
          password,
          database: 'gateway',
          logFile: home.log('postgres'),
          guard,
        }),
      ),
    ({ version }) => `Postgres ${version} ready on ${port}`,
  );
  return postgres.url;
}

/** Where a Temporal server answers, and where people look at it. */
export type TemporalPlace = { readonly address: string; readonly uiUrl: string };

/** The Temporal server to use: the configured one, else an embedded development server with its Web UI. */
export async function startTemporalServer(context: StartContext): Promise<TemporalPlace> {
  const { config, home, guard, progress, choosePort } = context;
  if (config.TEMPORAL_ADDRESS !== undefined) {
    progress.say(`Temporal: the server at ${config.TEMPORAL_ADDRESS} is used.`);
    return { address: config.TEMPORAL_ADDRESS, uiUrl: config.TEMPORAL_UI_URL };
  }
  const cli = await findTemporalCli({ configured: config.TEMPORAL_CLI, say: progress.say, guard });
  const port = await choosePort('Temporal', config.TEMPORAL_PORT);
  const uiPort = await choosePort('the Temporal UI', config.TEMPORAL_UI_PORT);
  const temporal = await progress.step(
    () =>
      keepRunning(context, 'server', () =>
        startTemporal({
          cli,
          databaseFile: home.temporal,
          namespace: config.TEMPORAL_NAMESPACE,
          port,
          uiPort,
          logFile: home.log('temporal'),
          guard,
        }),
      ),
    () => `Temporal ready on ${port}, its UI on ${uiPort}`,
  );
  return { address: temporal.address, uiUrl: `http://127.0.0.1:${uiPort}` };
}

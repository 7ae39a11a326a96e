import { exitUnusable, loadConfigOrExit, type Config } from '../process/config.ts';
import { migrate } from '../db/core/migrate.ts';
import { loadKeys } from '../embedded/keys/load-keys.ts';
import { endLeftovers, startGuard } from '../embedded/processes/guard.ts';
import { createShutdown, stopOnSignals, stopWithParent } from '../embedded/processes/shutdown.ts';
import { readyMessage } from '../embedded/ready-message.ts';
import { applySandboxDefaults } from '../embedded/sandbox-environment.ts';
import { prepareWorkflowBundle, startGateway } from '../embedded/start-gateway.ts';
import { runStep, type EmbeddedContext } from '../embedded/start-part.ts';
import { startDatabase, startTemporalServer } from '../embedded/start-servers.ts';
import { ensureDemoCredentials } from '../embedded/state/demo-credentials.ts';
import {
  readRuntimeInfo,
  removeRuntimeInfo,
  writeRuntimeInfo,
} from '../embedded/state/runtime-info.ts';
import { prepareStateDir } from '../embedded/state/state-dir.ts';
import { lockStateDir } from '../embedded/state/state-lock.ts';
import { readCommandLine } from './command-line.ts';

/** `npm start`: the whole gateway on this machine, with Postgres and Temporal. */

const usage = `npm start         runs the whole gateway on this machine
npm run dev       does the same, and restarts the API and the worker when their files change
npm run sandbox   runs a sandbox beside it

Environment variables set everything, such as PORT=3001 npm start: see docs/configuration.md.`;

const log = (line: string) => {
  console.log(line);
};

async function lockStateDirOrExit(folder: string, command: string): Promise<void> {
  const pid = lockStateDir(folder);
  if (pid === null) return;
  const apiUrl = (await readRuntimeInfo(folder))?.apiUrl;
  console.error(
    `The gateway of ${folder} is already running, by process ${pid}` +
      `${apiUrl === undefined ? '' : `, at ${apiUrl}`}.\n` +
      `Stop it first, or use another folder: GATEWAY_HOME=.gateway-2 ${command}`,
  );
  process.exit(1);
}

/** Starts everything that does not depend on another part at the same time. */
async function run(context: EmbeddedContext): Promise<void> {
  const { config, stateDir } = context;
  const { keysFile, secretsKey, postgresPassword } = loadKeys(stateDir.path, config);
  const prepareDatabase = async () => {
    const database = await startDatabase(context, postgresPassword);
    await migrate(database.ownerUrl, () => {}, config.GATEWAY_ENVIRONMENT);
    const databaseUrls = await database.processUrls();
    return {
      databaseUrl: database.ownerUrl,
      databaseUrls,
      ...(await ensureDemoCredentials(config, database.ownerUrl)),
    };
  };
  const [{ databaseUrl, databaseUrls, vendor, operator }, temporal, workflowBundle] =
    await Promise.all([
      runStep(context, () => 'Database up to date', prepareDatabase),
      startTemporalServer(context),
      runStep(
        context,
        (path) => (path === '' ? 'The worker bundles the workflow code' : 'Workflow code bundled'),
        () => prepareWorkflowBundle(context),
      ),
    ]);
  const parts = { databaseUrls, temporal, workflowBundle, keysFile, secretsKey };
  const apiUrl = await startGateway(context, parts);
  if (context.signal.aborted) return;
  const info = {
    apiUrl,
    temporalAddress: temporal.address,
    temporalUiUrl: temporal.uiUrl,
    databaseUrl,
    environment: config.GATEWAY_ENVIRONMENT,
    vendor,
    operator,
  };
  await writeRuntimeInfo(stateDir.path, info);
  log(readyMessage(info, process.uptime()));
}

async function start(config: Config, isWatched: boolean): Promise<void> {
  const stateDir = await prepareStateDir(config.GATEWAY_HOME).catch((error: Error) =>
    exitUnusable('GATEWAY_HOME', error.message),
  );
  const inProduction = isWatched ? 'npm run dev' : 'npm start';
  const command = config.GATEWAY_ENVIRONMENT === 'Sandbox' ? 'npm run sandbox' : inProduction;
  await lockStateDirOrExit(stateDir.path, command);
  if (await endLeftovers(stateDir.pids)) {
    log('An earlier start was killed. This start has ended its processes.');
  }
  const guard = startGuard(stateDir.pids);
  const shutdown = createShutdown(async () => {
    await removeRuntimeInfo(stateDir.path);
    await guard.release();
    log('Stopped.');
  });
  stopOnSignals(shutdown, log);
  stopWithParent(shutdown);
  const { signal } = shutdown;
  const fail = (error: unknown) => {
    // An error during the stop is a consequence of the stop.
    if (!signal.aborted) log(`✗ ${error instanceof Error ? error.message : String(error)}`);
    void shutdown.stop(1);
  };
  process.on('uncaughtException', fail);
  await run({ config, stateDir, guard, log, isWatched, signal, fail }).catch(fail);
}

// A closed stdout (npm start | head) must not end the gateway.
process.stdout.on('error', () => {});
const { values } = readCommandLine(usage, {
  options: {
    watch: { type: 'boolean', default: false },
    sandbox: { type: 'boolean', default: false },
  },
});
if (values.sandbox) applySandboxDefaults();
const config = loadConfigOrExit();
if (config.NODE_ENV === 'production') {
  // In production a missing variable is the first thing to report.
  loadConfigOrExit(['DATABASE_URL', 'JWT_KEYS', 'SECRETS_KEY']);
  console.error(
    'npm start is for development. In production run the processes: npm run migrate, npm run ' +
      'api, npm run worker.',
  );
  process.exit(1);
}
await start(config, values.watch);

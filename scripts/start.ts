import { loadConfigOrExit, type Config } from '../config.ts';
import { migrate } from '../db/core/migrate.ts';
import { banner } from './banner.ts';
import { bootstrap } from './bootstrap.ts';
import { endLeftovers, startGuard } from './guard.ts';
import { AlreadyRunning, lockHome } from './home-lock.ts';
import { prepareHome, type Home } from './home.ts';
import { loadKeys } from '../embedded/keys/load-keys.ts';
import { onParentLoss } from './parent-watch.ts';
import { createPortChooser } from './ports.ts';
import { createProgress } from './progress.ts';
import { readRunning, writeRunning } from './running.ts';
import { createShutdown, stopOnSignals } from './shutdown.ts';
import type { StartContext } from './start-context.ts';
import { prepareWorkflowBundle, startGateway } from './start-gateway.ts';
import { startDatabase, startTemporalServer } from './start-servers.ts';

/** `npm start`: the whole gateway on this machine, Postgres and Temporal included. See docs/operating.md. */

const say = (line: string) => {
  console.log(line);
};

/** Takes the home; exits 1 with a word about it when another start has it. */
async function lockOrExit(home: Home): Promise<() => void> {
  try {
    return lockHome(home.path);
  } catch (error) {
    if (!(error instanceof AlreadyRunning)) throw error;
    const running = await readRunning(home.path);
    console.error(
      `The gateway of ${home.path} is already running, ${error.message}` +
        `${running === undefined ? '' : `, at ${running.apiUrl}`}.\n` +
        'Stop that one first, or give this one another folder: GATEWAY_HOME=.gateway-2 npm start',
    );
    process.exit(1);
  }
}

/** What a later step needs is prepared beside what an earlier step waits for. */
async function run(context: StartContext): Promise<void> {
  const { config, home, progress } = context;
  const { keysFile, secretsKey, postgresPassword } = loadKeys(home.path, config);
  const prepareDatabase = async () => {
    const databaseUrl = await startDatabase(context, postgresPassword);
    await migrate(databaseUrl, () => {});
    return { databaseUrl, ...(await bootstrap(config, databaseUrl)) };
  };
  const [{ databaseUrl, vendor, operator }, temporal, workflowBundle] = await Promise.all([
    progress.step(prepareDatabase, () => 'Database up to date'),
    startTemporalServer(context),
    progress.step(
      () => prepareWorkflowBundle(context),
      () => 'Workflow code bundled',
    ),
  ]);
  const apiUrl = await startGateway(context, {
    databaseUrl,
    temporal,
    workflowBundle,
    keysFile,
    secretsKey,
  });
  if (context.shutdown.isStopping()) return;
  const running = {
    apiUrl,
    temporalAddress: temporal.address,
    temporalUiUrl: temporal.uiUrl,
    databaseUrl,
    vendor,
    operator,
  };
  const removeRunning = await writeRunning(home.path, running);
  context.shutdown.add('app', removeRunning);
  say(banner(running, process.uptime()));
}

async function start(config: Config): Promise<void> {
  const home = await prepareHome(config.GATEWAY_HOME);
  const unlock = await lockOrExit(home);
  if (await endLeftovers(home.pids))
    say('An earlier start was killed: what it left behind has been ended.');
  const guard = startGuard(home.pids);
  const finish = async () => {
    await guard.release();
    unlock();
    say('Stopped.');
  };
  const shutdown = createShutdown(finish, say);
  stopOnSignals(shutdown, say);
  onParentLoss(() => void shutdown.stop(1));
  const fail = (error: unknown) => {
    // What fails because everything is being stopped is no news.
    if (!shutdown.isStopping()) say(`✗ ${error instanceof Error ? error.message : String(error)}`);
    void shutdown.stop(1);
  };
  // Whatever escapes every handler: the stop must still be orderly.
  process.on('uncaughtException', fail);
  const progress = createProgress(say);
  try {
    await run({ config, home, guard, shutdown, progress, choosePort: createPortChooser(say) });
  } catch (error) {
    fail(error);
  }
}

// A reader that goes away (npm start | head) must not take the gateway with it.
process.stdout.on('error', () => {});
const config = loadConfigOrExit();
if (config.NODE_ENV === 'production') {
  // It takes its keys and its database from its configuration, and wants neither our servers nor a demo vendor.
  loadConfigOrExit(['DATABASE_URL', 'JWT_KEYS', 'SECRETS_KEY']);
  console.error(
    'npm start is for development. In production run the processes: npm run migrate, npm run api, npm run worker.',
  );
  process.exit(1);
}
await start(config);

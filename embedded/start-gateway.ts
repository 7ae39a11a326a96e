import { fileURLToPath } from 'node:url';
import { choosePort } from './ports.ts';
import type { ProcessUrls } from './postgres/process-roles.ts';
import { gatewayEnvironment, programEnvironment } from './processes/child-environment.ts';
import { runProgram } from './processes/child-process.ts';
import { startGatewayProcess } from './processes/gateway-process.ts';
import { startPart, type EmbeddedContext } from './start-part.ts';
import type { TemporalEndpoints } from './start-servers.ts';

/**
 * Origin of the demo's webhook receiver, which the guardrail of an embedded start allows.
 */
export const DEMO_RECEIVER_ORIGIN = 'http://127.0.0.1:8790';

/** What the API and the worker need on top of our own environment. */
export type GatewayParts = {
  readonly databaseUrls: ProcessUrls;
  readonly temporal: TemporalEndpoints;
  readonly workflowBundle: string;
  /** The key ring; undefined when our own environment has the signing keys. */
  readonly keysFile: string | undefined;
  readonly secretsKey: string;
};

/**
 * Returns the path of the workflow bundle; empty when it cannot be cached, and for a worker that
 * restarts for changed files, which builds it itself. Another process builds it: webpack would
 * block Ctrl-C and the start of the servers.
 */
export async function prepareWorkflowBundle({
  config,
  stateDir,
  guard,
  isWatched,
}: EmbeddedContext): Promise<string> {
  if (config.WORKFLOW_BUNDLE !== undefined) return config.WORKFLOW_BUNDLE;
  if (isWatched) return '';
  const program = fileURLToPath(new URL('../worker/build-workflow-bundle.ts', import.meta.url));
  return runProgram(process.execPath, ['--import', 'tsx', program, stateDir.cache], {
    env: programEnvironment(),
    guard,
  });
}

/** Starts the API on a free port, and the worker. Returns the API's URL on this machine. */
export async function startGateway(context: EmbeddedContext, parts: GatewayParts): Promise<string> {
  const { config, stateDir, guard, log, isWatched } = context;
  const common = {
    WEBHOOK_ALLOWED_ORIGINS: [...config.WEBHOOK_ALLOWED_ORIGINS, DEMO_RECEIVER_ORIGIN].join(','),
    TEMPORAL_ADDRESS: parts.temporal.address,
    TEMPORAL_UI_URL: parts.temporal.uiUrl,
    HOST: config.HOST,
    // No proxy follows `/ready`, and Ctrl-C is to end the gateway at once.
    DRAIN_DELAY_MS: process.env['DRAIN_DELAY_MS'] ?? '0',
    WORKER_HEALTH_PORT: process.env['WORKER_HEALTH_PORT'] ?? '0',
    SECRETS_KEY: parts.secretsKey,
    WORKFLOW_BUNDLE: parts.workflowBundle,
  };
  const start = (name: 'API' | 'Worker', file: string, own: NodeJS.ProcessEnv) => {
    const logFile = stateDir.log(name.toLowerCase());
    const env = { ...gatewayEnvironment(name), ...common, ...own };
    const watcher = {
      onRestart: (url: string) => log(`✓ ${name} runs with the changed files at ${url}`),
      onFailure: (logTail: string) =>
        log(`✗ ${name} failed; the next change of its files starts it again.\n${logTail}`),
    };
    const options = { name, file, env, logFile, guard };
    return startGatewayProcess(isWatched ? { ...options, watcher } : options);
  };
  const keys = parts.keysFile === undefined ? {} : { JWT_KEYS_FILE: parts.keysFile };
  const [api] = await Promise.all([
    startPart(
      context,
      ({ url }) => `API ready at ${url}`,
      async () => {
        const port = await choosePort(log, 'the API', config.PORT, config.HOST);
        const url = localUrl(config.HOST, port);
        return async () => ({
          ...(await start('API', 'api/server.ts', {
            ...keys,
            DATABASE_URL: parts.databaseUrls.apiUrl,
            PORT: String(port),
          })),
          url,
        });
      },
    ),
    startPart(
      context,
      ({ url }) => `Worker ready at ${url}`,
      () =>
        Promise.resolve(() =>
          start('Worker', 'worker/main.ts', { DATABASE_URL: parts.databaseUrls.workerUrl }),
        ),
    ),
  ]);
  return api.url;
}

function localUrl(host: string, port: number): string {
  const isAnyAddress = host === '0.0.0.0' || host === '::';
  return `http://${isAnyAddress ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

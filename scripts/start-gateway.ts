import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DEMO_RECEIVER_ORIGIN } from './demo-receiver-origin.ts';
import { startGatewayChild } from './gateway-child.ts';
import { keepRunning, type StartContext } from './start-context.ts';
import type { TemporalPlace } from './start-servers.ts';

/** What the API and the worker are told on top of our own environment. */
export type GatewayParts = {
  readonly databaseUrl: string;
  readonly temporal: TemporalPlace;
  readonly workflowBundle: string;
  /** The key ring; undefined where our own environment says which keys sign. */
  readonly keysFile: string | undefined;
  readonly secretsKey: string;
};

/** Builds the workflow code in a process of its own, or finds it built; empty when it could not be kept. */
export async function prepareWorkflowBundle({
  config,
  home,
  guard,
}: StartContext): Promise<string> {
  if (config.WORKFLOW_BUNDLE !== undefined) return config.WORKFLOW_BUNDLE;
  const script = fileURLToPath(new URL('./build-workflow-bundle.ts', import.meta.url));
  const running = promisify(execFile)(process.execPath, ['--import', 'tsx', script, home.cache]);
  if (running.child.pid !== undefined) {
    guard.watch({ pid: running.child.pid, signal: 'SIGTERM', stage: 'app' });
  }
  return (await running).stdout;
}

async function environment({ config, choosePort }: StartContext, parts: GatewayParts) {
  const port = await choosePort('the API', config.PORT, config.HOST);
  return {
    ...process.env,
    // The demo's receiver listens on this machine, which the guardrail rightly refuses unless told.
    WEBHOOK_ALLOWED_ORIGINS: [...config.WEBHOOK_ALLOWED_ORIGINS, DEMO_RECEIVER_ORIGIN].join(','),
    DATABASE_URL: parts.databaseUrl,
    TEMPORAL_ADDRESS: parts.temporal.address,
    TEMPORAL_UI_URL: parts.temporal.uiUrl,
    HOST: config.HOST,
    PORT: String(port),
    // Nobody looks for it here: any port will do, unless one was asked for.
    WORKER_HEALTH_PORT: process.env['WORKER_HEALTH_PORT'] ?? '0',
    ...(parts.keysFile === undefined ? {} : { JWT_KEYS_FILE: parts.keysFile }),
    SECRETS_KEY: parts.secretsKey,
    WORKFLOW_BUNDLE: parts.workflowBundle,
  };
}

/** Starts the API and the worker side by side; answers the API's URL as one opens it on this machine. */
export async function startGateway(context: StartContext, parts: GatewayParts): Promise<string> {
  const { home, guard, progress } = context;
  const env = await environment(context, parts);
  const start = (name: string, file: string) =>
    progress.step(
      () =>
        keepRunning(context, 'app', () =>
          startGatewayChild({ name, file, env, logFile: home.log(name.toLowerCase()), guard }),
        ),
      ({ url }) => `${name} ready at ${url}`,
    );
  await Promise.all([start('API', 'api/server.ts'), start('Worker', 'worker/main.ts')]);
  const isAnyAddress = env.HOST === '0.0.0.0' || env.HOST === '::';
  return `http://${isAnyAddress ? '127.0.0.1' : env.HOST.includes(':') ? `[${env.HOST}]` : env.HOST}:${env.PORT}`;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { inject } from 'vitest';
import type { TestGateway } from './gateway.ts';
import { nodeArgumentsOf, root } from '../programs.ts';
import { restartTest } from './workflow-test.ts';

const ready = v.object({ type: v.literal('ready'), url: v.string() });

type Environment = Readonly<Record<string, string>>;

/** An API or a worker as in production: a process of its own. */
export type GatewayProcess = Awaited<ReturnType<typeof startProcess>>;

async function startProcess(
  file: string,
  environment: Environment,
  ends: ((signal: NodeJS.Signals) => Promise<unknown>)[],
) {
  const child = spawn(process.execPath, nodeArgumentsOf(file), {
    cwd: root,
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'info', ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  /** Sends a signal and waits for the end of the process; resolves to how it ended. */
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [code, endedBy] = (await ended) as [number | null, NodeJS.Signals | null];
    return { code, signal: endedBy };
  };
  ends.push(end);
  const lines: Record<string, unknown>[] = [];
  if (child.stdout === null) throw new Error(`${file} has no output`);
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) lines.push(JSON.parse(line) as Record<string, unknown>);
  });
  const [message] = (await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error(`${file} ended: ${JSON.stringify(lines.at(-1))}`))),
  ])) as unknown[];
  return {
    /** The URL of the API, or of the worker's health. */
    url: v.parse(ready, message).url,
    pid: child.pid ?? 0,
    /** The lines of its log so far. */
    lines: lines as readonly Readonly<Record<string, unknown>>[],
    end,
  };
}

/** What both processes need of a test's gateway. */
const environmentOf = ({ config }: TestGateway): Environment => ({
  NODE_ENV: 'test',
  SECRETS_KEY: config.SECRETS_KEY,
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  TEMPORAL_TASK_QUEUE: config.TEMPORAL_TASK_QUEUE,
  WEBHOOK_ALLOWED_ORIGINS: config.WEBHOOK_ALLOWED_ORIGINS.join(','),
  WEBHOOK_RETRY_DELAYS_MS: config.WEBHOOK_RETRY_DELAYS_MS.join(','),
});

/** The schedules that worker processes create. */
async function deleteSchedules({ client, config }: TestGateway): Promise<void> {
  for await (const { scheduleId } of client.schedule.list())
    if (scheduleId.startsWith(config.TEMPORAL_TASK_QUEUE))
      await client.schedule.getHandle(scheduleId).delete();
}

/**
 * Gives each test a `gateway` without a worker of its own, and starts API and worker `processes`
 * over it. Those left at the end of the test are killed.
 */
export const processTest = restartTest.extend('processes', ({ gateway }, { onCleanup }) => {
  const ends: Parameters<typeof startProcess>[2] = [];
  onCleanup(async () => {
    await Promise.all(ends.map((end) => end('SIGKILL')));
    await deleteSchedules(gateway);
  });
  const { config, apiUrl } = gateway;
  const starterOf =
    (file: string, own: Environment) =>
    (environment: Environment = {}) =>
      startProcess(file, { ...environmentOf(gateway), ...own, ...environment }, ends);
  return {
    startApi: starterOf('api/server.ts', {
      DATABASE_URL: apiUrl,
      JWT_SIGNING_KEY: config.JWT_SIGNING_KEY,
      PORT: '0',
    }),
    startWorker: starterOf('worker/main.ts', {
      DATABASE_URL: config.DATABASE_URL,
      WORKER_HEALTH_PORT: '0',
      WORKFLOW_BUNDLE: inject('workflowBundlePath'),
    }),
  };
});

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { Child } from '../../../embedded/processes/child-process.ts';
import { startGatewayProcess } from '../../../embedded/processes/gateway-process.ts';
import { createWorkspace } from '../../../test/support/servers.ts';
import { findTemporalCli } from '../../../embedded/temporal/temporal-cli.ts';
import { startTemporal } from '../../../embedded/temporal/temporal.ts';
import type { BenchmarkContext } from '../benchmark.ts';
import { benchTaskQueue } from './servers.ts';

const namespace = 'default';

/**
 * A Temporal server of our own, and a worker process over it as production runs it. Its state is a
 * file, as with `npm start`. Ended with us; a guard ends it if we are killed. The worker has this
 * environment, and starts when the caller starts it.
 */
export async function startTemporalSide(
  { databaseUrl, temporalPort, say }: BenchmarkContext,
  environment: Readonly<Record<string, string>> = {},
) {
  if (temporalPort === null) throw new Error('the benchmark does not say that it has Temporal');
  const { folder, guard } = await createWorkspace();
  const temporal = await startTemporal({
    cli: await findTemporalCli({ configured: undefined, log: say, guard }),
    databaseFile: join(folder, 'temporal', 'temporal.db'),
    namespace,
    port: temporalPort,
    ui: undefined,
    logFile: join(folder, 'temporal.log'),
    guard,
  }).catch(async (error: unknown) => {
    await guard.release();
    throw error;
  });
  const connection = await Connection.connect({ address: temporal.address });
  const secretsKey = randomBytes(32).toString('base64');
  const worker = keepWorker(
    () =>
      startGatewayProcess({
        name: 'Worker',
        file: 'worker/main.ts',
        env: {
          PATH: process.env['PATH'],
          DATABASE_URL: databaseUrl,
          SECRETS_KEY: secretsKey,
          TEMPORAL_ADDRESS: temporal.address,
          TEMPORAL_TASK_QUEUE: benchTaskQueue,
          WORKER_HEALTH_PORT: '0',
          LOG_LEVEL: 'warn',
          ...environment,
        },
        logFile: join(folder, 'worker.log'),
        guard,
      }),
    say,
  );
  return {
    client: new Client({ connection, namespace }),
    taskQueue: benchTaskQueue,
    pid: temporal.pid,
    /** The SECRETS_KEY of the worker. */
    secretsKey,
    worker,
    /** Stops the worker too. */
    stop: async (): Promise<void> => {
      await worker.stop();
      await connection.close();
      await guard.release();
    },
  };
}

export type TemporalSide = Awaited<ReturnType<typeof startTemporalSide>>;

/** Starts the server and the worker, runs `work` and stops them. */
export async function withWorker(
  context: BenchmarkContext,
  environment: Readonly<Record<string, string>>,
  work: (temporal: TemporalSide) => Promise<void>,
): Promise<void> {
  const temporal = await startTemporalSide(context, environment);
  try {
    await temporal.worker.start();
    await work(temporal);
  } finally {
    await temporal.stop();
  }
}

/** One worker process at a time. */
function keepWorker(start: () => Promise<Child>, say: BenchmarkContext['say']) {
  let child: Child | null = null;
  return {
    /** 0 while none runs. */
    pid: () => (child === null || child.hasExited() ? 0 : child.pid),
    start: async (): Promise<void> => {
      child = await start();
    },
    kill: async (): Promise<void> => {
      child?.process.kill('SIGKILL');
      say(`the worker is gone: ${(await child?.exited) ?? 'it was not there'}`);
    },
    stop: async (): Promise<void> => {
      await child?.stop();
    },
  };
}
export type WorkerProcess = ReturnType<typeof keepWorker>;

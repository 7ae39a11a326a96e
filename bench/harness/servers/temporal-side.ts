import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { Child } from '../../../embedded/processes/child-process.ts';
import { startGatewayProcess } from '../../../embedded/processes/gateway-process.ts';
import { createGuardedFolder } from '../../../embedded/processes/guard.ts';
import { findTemporalCli } from '../../../embedded/temporal/temporal-cli.ts';
import { startTemporal } from '../../../embedded/temporal/temporal.ts';
import type { BenchmarkContext } from '../benchmark.ts';
import { benchTaskQueue } from './servers.ts';

/** A Temporal server of our own, and worker processes over it as production runs them. */
export type TemporalSide = {
  readonly client: Client;
  readonly taskQueue: string;
  readonly pid: number;
  readonly startWorker: () => Promise<Child>;
  readonly stop: () => Promise<void>;
};

const namespace = 'default';

/** Its state is a file, as that of `npm start`. Ended with us; a guard ends it if we are killed. */
export async function startTemporalSide(
  { databaseUrl, temporalPort, say }: BenchmarkContext,
  environment: Readonly<Record<string, string>> = {},
): Promise<TemporalSide> {
  if (temporalPort === null) throw new Error('the benchmark does not say that it has Temporal');
  const { folder, guard } = await createGuardedFolder();
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
  return {
    client: new Client({ connection, namespace }),
    taskQueue: benchTaskQueue,
    pid: temporal.pid,
    startWorker: () =>
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
    stop: async () => {
      await connection.close();
      await guard.release();
    },
  };
}

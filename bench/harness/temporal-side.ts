import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { Child } from '../../scripts/child.ts';
import { startGatewayChild } from '../../scripts/gateway-child.ts';
import { startGuard } from '../../scripts/guard.ts';
import { createPortChooser } from '../../scripts/ports.ts';
import { findTemporalCli } from '../../scripts/temporal-cli.ts';
import { startTemporal } from '../../scripts/temporal.ts';

/** A Temporal server of our own, and worker processes over it as production runs them. */
export type TemporalSide = {
  readonly client: Client;
  readonly taskQueue: string;
  readonly pid: number;
  readonly startWorker: () => Promise<Child>;
  readonly stop: () => Promise<void>;
};

const taskQueue = 'bench';
const namespace = 'default';

/** Its state is a file, as that of `npm start`. Ended with us; a guard ends it if we are killed. */
export async function startTemporalSide(
  databaseUrl: string,
  say: (text: string) => void,
  environment: Readonly<Record<string, string>> = {},
): Promise<TemporalSide> {
  const folder = await mkdtemp(join(tmpdir(), 'vendor-gateway-bench-'));
  const guard = startGuard();
  guard.removeAtEnd(folder);
  const choosePort = createPortChooser(say);
  const temporal = await startTemporal({
    cli: await findTemporalCli({ configured: undefined, say, guard }),
    databaseFile: join(folder, 'temporal', 'temporal.db'),
    namespace,
    port: await choosePort('Temporal', 0),
    uiPort: undefined,
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
    taskQueue,
    pid: temporal.pid,
    startWorker: () =>
      startGatewayChild({
        name: 'Worker',
        file: 'worker/main.ts',
        env: {
          PATH: process.env['PATH'],
          DATABASE_URL: databaseUrl,
          SECRETS_KEY: secretsKey,
          TEMPORAL_ADDRESS: temporal.address,
          TEMPORAL_TASK_QUEUE: taskQueue,
          WORKER_HEALTH_PORT: '0',
          LOG_LEVEL: 'warn',
          ...environment,
        },
        logFile: join(folder, 'worker.log'),
        guard,
      }),
    stop: async () => {
      await connection.close();
      await temporal.stop();
      await guard.release();
    },
  };
}

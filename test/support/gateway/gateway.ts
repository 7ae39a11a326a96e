import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { pino, type Logger } from 'pino';
import { inject } from 'vitest';
import { loadConfig, type ConfigWith } from '../../../process/config.ts';
import { connect } from '../../../db/core/client.ts';
import { createDecisions } from '../../../temporal/decisions.ts';
import { clientOver } from '../../../temporal/connection/client-over.ts';
import { clientOptions } from '../../../temporal/connection/connection-options.ts';
import { nativeConnection } from '../../../temporal/connection/native-connection.ts';
import { coreLogging, sdkLogger } from '../../../worker/sdk-logger.ts';
import { startWorker, type RunningWorker } from '../../../worker/worker.ts';
import { generatePrivateKey } from '../../../security/key-ring.ts';
import { createTestDatabase } from '../database/database.ts';
import { newSecretsKey } from '../seeds/sealed-secrets.ts';
import { closeReplayer } from '../history.ts';

type TestConfig = ConfigWith<'DATABASE_URL' | 'SECRETS_KEY' | 'JWT_SIGNING_KEY'>;

const silent = pino({ level: 'silent' });
let runtimeLog: Logger = silent;
let isRuntimeReady = false;

/**
 * Installs the SDK's runtime once for each process, without signal handlers: Vitest ends the
 * process. The runtime writes to the log that the latest caller gave.
 */
export function prepareRuntime(log: Logger = silent): void {
  runtimeLog = log;
  if (isRuntimeReady) return;
  isRuntimeReady = true;
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('INFO', (entry) => {
      sdkLogger(runtimeLog).log(entry.level, entry.message, entry.meta);
    }),
    telemetryOptions: { logging: coreLogging },
  });
}

function testConfig(databaseUrl: string, overrides: Readonly<Record<string, string>>): TestConfig {
  const environment = {
    DATABASE_URL: databaseUrl,
    SECRETS_KEY: newSecretsKey(),
    JWT_SIGNING_KEY: generatePrivateKey(),
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    TEMPORAL_TASK_QUEUE: `test-${randomUUID()}`,
    // On a busy machine, a decision can take longer than the default limit.
    DECISION_TIMEOUT_MS: '60000',
    ...overrides,
  };
  return loadConfig(environment, ['DATABASE_URL', 'SECRETS_KEY', 'JWT_SIGNING_KEY']);
}

/**
 * A gateway's own database and task queue on the run's servers, without any process of it running
 * yet. `via` leads the connections of the API and of the worker to Postgres through a proxy.
 */
export async function createTestGateway(
  overrides: Readonly<Record<string, string>> = {},
  log: Logger = silent,
  via: (databaseUrl: string) => string = (databaseUrl) => databaseUrl,
) {
  prepareRuntime(log);
  const database = await createTestDatabase();
  const config = testConfig(via(database.workerUrl), overrides);
  const sql = connect(database.url, { max: 20, name: 'test' });
  const connection = await Connection.connect(clientOptions(config));
  const client = clientOver(connection, config);
  const workers: RunningWorker[] = [];
  const native = await nativeConnection(config);
  return {
    config,
    /** As the owner of the database; `config.DATABASE_URL` is the worker's. */
    sql,
    /** The URL of the database for its owner. */
    ownerUrl: database.url,
    /** As the role of the API. */
    apiUrl: via(database.apiUrl),
    client,
    /** Over a connection of the kind that the worker's relay has. */
    relayClient: clientOver(native, config),
    decisions: createDecisions(client, {
      taskQueue: config.TEMPORAL_TASK_QUEUE,
      timeoutMs: config.DECISION_TIMEOUT_MS,
    }),
    /** A real worker with its relay; stopped by the caller or at the end. */
    startWorker: async ({ settings = {} }: { readonly settings?: Partial<TestConfig> } = {}) => {
      const workflowBundle = { codePath: inject('workflowBundlePath') };
      const worker = await startWorker({
        config: { ...config, ...settings },
        connection: native,
        workflowBundle,
        log,
        isSingleThreaded: true,
      });
      workers.push(worker);
      return worker;
    },
    stop: async (): Promise<void> => {
      await Promise.all([...workers.map((worker) => worker.stop()), closeReplayer()]);
      await native.close();
      await connection.close();
      await sql.end({ timeout: 5 });
      await database.drop();
    },
  };
}
export type TestGateway = Awaited<ReturnType<typeof createTestGateway>>;

import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Runtime, type NativeConnection } from '@temporalio/worker';
import { Registry } from 'prom-client';
import { exitUnlistened, exitUnusable, loadConfigOrExit } from '../process/config.ts';
import { connect } from '../db/core/client.ts';
import { requireEnvironment } from '../db/core/installation.ts';
import { createDatabaseCheck } from '../db/core/database-check.ts';
import { readPools, readRecord } from '../db/watch/read-record.ts';
import type { Check } from '../process/health/check-parts.ts';
import { stopOnSignals } from '../process/early-signals.ts';
import { startLoopWatch } from '../process/health/loop-watch.ts';
import { startMetricsServer } from '../process/metrics/metrics-server.ts';
import { addPoolMetrics, addRecordMetrics } from '../process/metrics/record-metrics.ts';
import { untilOwn } from '../process/own-installation.ts';
import { createLogger } from '../process/logging.ts';
import { startTracing } from '../process/tracing/start-tracing.ts';
import { version } from '../process/version.ts';
import { clientOver } from '../temporal/connection/client-over.ts';
import { routeText } from '../temporal/connection/connection-options.ts';
import { nativeConnection } from '../temporal/connection/native-connection.ts';
import { requireNamespace } from '../temporal/namespace-owner.ts';
import { createTemporalCheck } from '../temporal/connection/temporal-check.ts';
import { loadWorkflowBundle } from './workflow-bundle.ts';
import { startHealthServer } from './health.ts';
import { addDeliveryMetrics } from './metrics/delivery-metrics.ts';
import { coreLogging, sdkLogger } from './sdk-logger.ts';
import { chooseSdkMetrics } from './metrics/sdk-metrics.ts';
import { createTaskFailures } from './metrics/task-failures.ts';
import { startRecovery } from './recovery.ts';
import { addSecretMetrics } from './secret-watch.ts';
import { startWorker, type RunningWorker } from './worker.ts';

/** The worker process: workflows, activities, relay, health. SIGTERM and SIGINT stop it. */

const config = loadConfigOrExit(['DATABASE_URL', 'SECRETS_KEY', 'TEMPORAL_TLS']);
const log = createLogger('worker', config.LOG_LEVEL);
const tracing = await startTracing({
  isOn: config.isTracing,
  serviceName: 'vendor-gateway-worker',
  version,
  log,
});
// The process handles signals itself: the SDK would stop the worker without the relay.
const sdkMetrics = await chooseSdkMetrics();
Runtime.install({
  shutdownSignals: [],
  logger: sdkLogger(log),
  telemetryOptions: {
    logging: coreLogging,
    metrics: { prometheus: { bindAddress: sdkMetrics.bindAddress } },
  },
});

const connectFor = (purpose: string, more: { statementTimeoutMs?: number } = {}) =>
  connect(config.DATABASE_URL, { max: 1, name: `vendor-gateway worker, ${purpose}`, ...more });
const database = createDatabaseCheck(() => connectFor('health'));
const registry = new Registry();
const watch = connectFor('metrics', { statementTimeoutMs: 2000 });
addRecordMetrics(registry, () => readRecord(watch));
addPoolMetrics(registry, () => readPools(watch));
addSecretMetrics(registry, () => worker?.secrets() ?? null);
const onRecorded = addDeliveryMetrics(registry, () => worker?.slots ?? null);
const taskFailures = createTaskFailures();
/** Null until the first connection to Temporal. */
let temporal: Check | null = null;
let worker: RunningWorker | null = null;
const health = await startHealthServer({
  host: config.HOST,
  port: config.WORKER_HEALTH_PORT,
  checks: {
    postgres: database.check,
    temporal: () => temporal?.() ?? 'unavailable',
    workflowTasks: async () => {
      taskFailures.follow(await sdkMetrics.read());
      return taskFailures.state();
    },
    eventLoop: startLoopWatch(),
    process: () => (worker === null || worker.isHealthy() ? 'ok' : 'stopping'),
  },
  onFailure: (part, error) =>
    log.warn({ err: error, part }, 'a part of the worker is unavailable; see /health'),
  messagesSetAside: () => worker?.messagesSetAside() ?? null,
  secretsWithoutKey: () => worker?.secrets()?.missing ?? null,
}).catch(exitUnlistened('HOST, WORKER_HEALTH_PORT'));
if (config.WORKFLOW_BUNDLE !== undefined) await requireBundle(config.WORKFLOW_BUNDLE);

const [workflowBundle, connection] = await Promise.all([
  loadWorkflowBundle({ path: config.WORKFLOW_BUNDLE }),
  untilConnected(),
]);
temporal = createTemporalCheck(clientOver(connection, config));
const settings = {
  taskQueue: config.TEMPORAL_TASK_QUEUE,
  environment: config.GATEWAY_ENVIRONMENT,
};
await ownInstallation();
const running = await startWorker({
  config,
  connection,
  workflowBundle,
  log,
  onRecorded,
  tracing,
  // Before its first full collection, V8 lets the heap grow without regard to what is alive.
  onCreated: () => globalThis.gc?.(),
});
worker = running;
const recoverySql = connectFor('recovery');
const recovery = startRecovery({
  client: clientOver(connection, config),
  sql: recoverySql,
  settings,
  log,
});
const metrics =
  config.WORKER_METRICS_PORT === undefined
    ? null
    : await startMetricsServer({
        registry,
        host: config.METRICS_HOST,
        port: config.WORKER_METRICS_PORT,
        readMore: sdkMetrics.read,
      }).catch(exitUnlistened('METRICS_HOST, WORKER_METRICS_PORT'));
log.info(
  { health: health.url, metrics: metrics?.url, temporal: config.TEMPORAL_ADDRESS },
  'worker is ready',
);
process.send?.({ type: 'ready', url: health.url });

const stop = (): void => {
  void recovery.stop();
  running.stop().catch((error: unknown) => {
    log.error({ err: error }, 'the worker could not stop all its parts');
    process.exit(1);
  });
};
stopOnSignals(stop);
process.once('disconnect', stop);
await running.stopped.catch((error: unknown) => {
  log.fatal({ err: error }, 'the worker failed');
  process.exitCode = 1;
});
health.server.close();
// One on which nothing was sent would keep the process for a minute.
health.server.closeAllConnections();
await recovery.stop();
await recoverySql.end({ timeout: 5 });
await database.close();
metrics?.close();
await watch.end({ timeout: 1 });
await tracing?.stop();
await connection.close();
if (process.exitCode === undefined) log.info('worker has stopped');
if (process.connected) process.disconnect();

/** Ends the process if the database or the namespace belongs to another environment. */
async function ownInstallation(): Promise<void> {
  try {
    await untilOwn(log, () => requireEnvironment(watch, config.GATEWAY_ENVIRONMENT));
    await untilOwn(log, () => requireNamespace(clientOver(connection, config), settings));
  } catch (error) {
    log.fatal({ err: error }, 'the worker cannot start');
    process.exit(1);
  }
}

/** Ends the process if the file is no whole bundle: the SDK reads the source map at its end. */
async function requireBundle(path: string): Promise<void> {
  const code = await readFile(path, 'utf8').catch((error: Error) =>
    exitUnusable('WORKFLOW_BUNDLE', error.message),
  );
  if (!code.includes('//# sourceMappingURL=data:'))
    exitUnusable('WORKFLOW_BUNDLE', 'the file is not a whole workflow bundle');
}

/** Retries until Temporal answers, since it may start after the worker. */
async function untilConnected(): Promise<NativeConnection> {
  for (;;) {
    try {
      return await nativeConnection(config);
    } catch (error) {
      log.warn({ err: error, route: routeText(config) }, 'Temporal is unavailable; retrying');
      await delay(1000);
    }
  }
}

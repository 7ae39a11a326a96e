import { setTimeout as delay } from 'node:timers/promises';
import { Runtime, type NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import { loadConfigOrExit, type Config } from '../config.ts';
import { connect } from '../db/core/client.ts';
import { createLogger } from '../logging.ts';
import { clientOver, nativeConnection } from '../temporal/native-connection.ts';
import { loadWorkflowBundle } from './workflow-bundle.ts';
import { startHealthServer } from './health.ts';
import { coreLogging, sdkLogger } from './sdk-logger.ts';
import { startRecovery } from './recovery.ts';
import { startWorker } from './worker.ts';

/** The worker process: workflows, activities, relay, health. SIGTERM and SIGINT stop it. */

const config = loadConfigOrExit(['DATABASE_URL', 'SECRETS_KEY']);
const log = createLogger('worker', config.LOG_LEVEL);
// The process handles signals itself: the SDK would stop the worker without the relay.
Runtime.install({
  shutdownSignals: [],
  logger: sdkLogger(log),
  telemetryOptions: { logging: coreLogging },
});

const [workflowBundle, connection] = await Promise.all([
  loadWorkflowBundle({ path: config.WORKFLOW_BUNDLE }),
  untilConnected(config, log),
]);
const worker = await startWorker({
  config,
  connection,
  workflowBundle,
  log,
});
const recoverySql = connect(config.DATABASE_URL, {
  max: 1,
  name: 'vendor-gateway worker, recovery',
});
const recovery = startRecovery({
  client: clientOver(connection, config),
  sql: recoverySql,
  settings: { taskQueue: config.TEMPORAL_TASK_QUEUE },
  log,
});
const health = await startHealthServer({
  host: config.HOST,
  port: config.WORKER_HEALTH_PORT,
  isHealthy: worker.isHealthy,
  messagesSetAside: worker.messagesSetAside,
});
log.info({ health: health.url, temporal: config.TEMPORAL_ADDRESS }, 'worker is ready');
process.send?.({ type: 'ready', url: health.url });

const stop = (): void => {
  worker.stop().catch((error: unknown) => {
    log.error({ err: error }, 'the worker failed to stop');
    process.exit(1);
  });
};
process.once('SIGTERM', stop).once('SIGINT', stop).once('disconnect', stop);
try {
  await worker.stopped;
  log.info('worker has stopped');
} catch (error) {
  log.fatal({ err: error }, 'the worker failed');
  process.exitCode = 1;
} finally {
  health.server.close();
  await recovery.stop();
  await recoverySql.end({ timeout: 5 });
  await connection.close();
  if (process.connected) process.disconnect();
}

/** Retries until Temporal answers, since it may start after the worker. */
async function untilConnected(config: Config, log: Logger): Promise<NativeConnection> {
  for (;;) {
    try {
      return await nativeConnection(config);
    } catch (error) {
      log.warn({ err: error }, 'Temporal is unavailable; retrying');
      await delay(1000);
    }
  }
}

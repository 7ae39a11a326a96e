import type { Client } from '@temporalio/client';
import type { Worker } from '@temporalio/worker';
import { createDeliveryPipeline, type DeliveryPipeline } from '../deliveries/delivery-pipeline.ts';
import { createActivities, type Activities } from '../activities/index.ts';
import { createRunningBatches, type RunningBatches } from '../commands/jobs/running-batches.ts';
import { connect, type Sql } from '../db/core/client.ts';
import { createSender, type Sender } from '../guardrail/send/send.ts';
import { createSealer, type Sealer } from '../security/sealer.ts';
import { createMessageHandler } from '../temporal/message-handler.ts';
import { clientOver } from '../temporal/connection/client-over.ts';
import { createRuns } from '../temporal/runs/open-runs.ts';
import { isTemporalOutage } from '../temporal/temporal-failures.ts';
import { secretResealingStart } from '../temporal/workflow-starts.ts';
import { tryRegisterSearchAttributes } from '../temporal/register-search-attributes.ts';
import { version } from '../process/version.ts';
import { deployedBuildOf, startDeploymentWatch } from './versioning.ts';
import { createTemporalWorkers } from './temporal-workers.ts';
import type { WorkerSettings } from './worker-settings.ts';
import { traceMessages } from '../relay/trace-messages.ts';
import { startMaintenance } from './maintenance.ts';
import { startSecretWatch } from './secret-watch.ts';
import { startRelay, type Relay } from '../relay/relay.ts';
import { createThreadSender } from '../deliveries/sender/thread-sender.ts';

/**
 * A worker that is frozen, or whose machine is lost, keeps its locks for this time. Longer than the
 * relay waits for Temporal while it holds messages.
 */
const idleInTransactionMs = 30_000;

/** Runs workflows, activities and the relay over one connection to Temporal. */
export async function startWorker(settings: WorkerSettings) {
  const { config, workflowBundle, log } = settings;
  const client = clientOver(settings.connection, config);
  await tryRegisterSearchAttributes(client, log);
  const sql = connect(config.DATABASE_URL, {
    max: config.DATABASE_POOL_MAX,
    name: 'vendor-gateway worker',
    idleInTransactionMs,
  });
  const sender = senderOf(settings);
  const sealer = createSealer(config.SECRETS_KEY);
  const pipeline = pipelineOf(settings, { sql, sender, sealer });
  const runningBatches = createRunningBatches();
  const build = await deployedBuildOf(config, workflowBundle);
  const activities = activitiesOf(settings, { sql, client, pipeline, runningBatches });
  const workers = await createTemporalWorkers({ ...settings, activities, build });
  const running = runTogether(workers);
  settings.onCreated?.();
  const relay = relayOf(settings, { sql, client, pipeline, runningBatches });
  const maintenance = startMaintenance({ sql, log });
  const secretWatch = startSecretWatch({
    sql,
    sealer,
    requestResealing: async () => {
      const start = secretResealingStart(config.TEMPORAL_TASK_QUEUE);
      await client.workflow.start('secretResealing', start);
    },
    log,
  });
  const deploymentWatch = build === null ? null : startDeploymentWatch(client, build, log);
  const stopped = (async () => {
    const ends = await running.ended;
    await relay.stop();
    await Promise.all([maintenance.stop(), secretWatch.stop(), deploymentWatch?.stop()]);
    await sender.close();
    await sql.end({ timeout: 5 });
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  })();
  return {
    /** Settles when the worker has stopped; rejects when it failed. */
    stopped,
    isHealthy: () => workers.every((worker) => worker.getState() === 'RUNNING'),
    /** The number of outbox messages set aside; null until it is known. */
    messagesSetAside: maintenance.messagesSetAside,
    /** The webhook secrets by key; null until they are known. */
    secrets: secretWatch.counts,
    /** The slots of receiving hosts. */
    slots: pipeline.slots,
    /** Stops after the running activities have finished. */
    stop: async (): Promise<void> => {
      running.shutdown();
      await relay.stop();
      await stopped;
    },
  };
}

export type RunningWorker = Readonly<Awaited<ReturnType<typeof startWorker>>>;

export function senderOf({ config, log, isSingleThreaded = false }: WorkerSettings): Sender {
  const options = {
    policy: {
      allowedPorts: config.WEBHOOK_ALLOWED_PORTS,
      allowedOrigins: config.WEBHOOK_ALLOWED_ORIGINS,
    },
    timeoutMs: config.WEBHOOK_TIMEOUT_MS,
  };
  return isSingleThreaded
    ? createSender(options)
    : createThreadSender({
        ...options,
        onLost: (error) => log.error({ err: error }, 'the sender thread failed; starting another'),
      });
}

/** What makes a worker's deliveries. */
export const pipelineOf = (
  { config, tracing = null, onRecorded }: WorkerSettings,
  parts: { readonly sql: Sql; readonly sender: Sender; readonly sealer: Sealer },
): DeliveryPipeline =>
  createDeliveryPipeline({
    ...parts,
    userAgent: `vendor-gateway/${version}`,
    hostConcurrencyMax: config.WEBHOOK_HOST_CONCURRENCY,
    subscriptionConcurrencyMax: config.WEBHOOK_SUBSCRIPTION_CONCURRENCY,
    keepsResponses: config.WEBHOOK_KEEP_ANSWERS,
    onRecorded,
    tracing,
    failureLimit: {
      failingMs: config.WEBHOOK_DISABLE_AFTER_MS,
      deadLetters: config.WEBHOOK_DISABLE_DEAD_LETTERS,
    },
  });

/** What the activities and the relay share. */
type Parts = {
  readonly sql: Sql;
  readonly client: Client;
  readonly pipeline: DeliveryPipeline;
  readonly runningBatches: RunningBatches;
};

export const activitiesOf = (
  { config, log }: WorkerSettings,
  { sql, client, pipeline, runningBatches }: Parts,
): Activities =>
  createActivities(
    {
      sql,
      runs: createRuns(client, { taskQueue: config.TEMPORAL_TASK_QUEUE }),
      log,
      retentionMs: config.WEBHOOK_RETENTION_MS,
      decisionUndoMs: config.DECISION_UNDO_MS,
      jobRetentionMs: config.JOB_RETENTION_MS,
      vatRateBasisPoints: config.VAT_RATE,
      jobWorkPercent: config.JOB_WORK_PERCENT,
      runningBatches,
    },
    pipeline,
  );

/** Runs workers until `shutdown`, or until one of them fails; then the process ends. */
function runTogether(workers: readonly Worker[]) {
  const shutdown = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  const ended = Promise.allSettled(workers.map((worker) => worker.run().finally(shutdown)));
  return { ended, shutdown };
}

function relayOf(
  { config, log, tracing = null }: WorkerSettings,
  { sql, client, pipeline, runningBatches }: Parts,
): Relay {
  const timeoutMs = config.WEBHOOK_TIMEOUT_MS;
  const retryDelaysMs = config.WEBHOOK_RETRY_DELAYS_MS;
  const handle = createMessageHandler(client, {
    taskQueue: config.TEMPORAL_TASK_QUEUE,
    retryDelaysMs,
    timeoutMs,
  });
  return startRelay({
    sql,
    databaseUrl: config.DATABASE_LISTEN_URL ?? config.DATABASE_URL,
    handleMessage: traceMessages(tracing, handle),
    isOutage: isTemporalOutage,
    log,
    lowPriorityPerSecond: config.RELAY_LOW_PRIORITY_PER_SECOND,
    hasJobs: runningBatches.areAny,
    deliveries: {
      pipeline,
      retryDelayMs: retryDelaysMs[0] ?? null,
      timeoutMs,
      runsPerSecond: config.WEBHOOK_RUNS_PER_SECOND,
    },
  });
}

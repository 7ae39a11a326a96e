import { Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import { createDeliveryPipeline } from '../activities/deliveries/delivery-pipeline.ts';
import type { HostSlots } from '../activities/deliveries/host-slots.ts';
import { createActivities } from '../activities/index.ts';
import { createRunningBatches } from '../commands/jobs/running-batches.ts';
import type { ConfigWith } from '../config.ts';
import { connect } from '../db/core/client.ts';
import type { AttemptResult } from '../db/webhooks/attempts/record-attempts.ts';
import type { SecretCounts } from '../doctor/secret-counts.ts';
import { createSender } from '../guardrail/send/send.ts';
import { createSealer } from '../security/sealer.ts';
import { dataConverterOf } from '../codec/payload-codec.ts';
import { createMessageHandler } from '../temporal/message-handler.ts';
import { clientOver } from '../temporal/connection/client-over.ts';
import { createRuns } from '../temporal/runs/open-runs.ts';
import { isTemporalOutage } from '../temporal/temporal-failures.ts';
import { secretResealingStart } from '../temporal/workflow-starts.ts';
import { registerSearchAttributes } from '../temporal/register-search-attributes.ts';
import { decisionQueueOf, decisionStickyTimeoutMs, jobQueueOf } from '../temporal/task-queues.ts';
import { version } from '../version.ts';
import { workersOfOneThread } from './shared-workflow-thread.ts';
import type { WorkflowBundle } from './workflow-bundle.ts';
import { deployedBuildOf, startDeploymentWatch, versioningOptions } from './versioning.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { traceMessages } from '../outbox-relay/trace-messages.ts';
import { redactErrors } from './redact-errors.ts';
import { traceActivities } from './trace-activities.ts';
import { startMaintenance } from './maintenance.ts';
import { startSecretWatch } from './secret-watch.ts';
import { startRelay } from './outbox-relay/relay.ts';
import { createThreadSender } from './sender/thread-sender.ts';

export type RunningWorker = {
  /** Settles when the worker has stopped; rejects when it failed. */
  readonly stopped: Promise<void>;
  readonly isHealthy: () => boolean;
  /** The number of outbox messages set aside; null until it is known. */
  readonly messagesSetAside: () => number | null;
  /** The webhook secrets by key; null until they are known. */
  readonly secrets: () => SecretCounts | null;
  /** The slots of receiving hosts. */
  readonly slots: Pick<HostSlots, 'inProgress'>;
  /** Stops after the running activities have finished. */
  readonly stop: () => Promise<void>;
};

/** The batches of jobs that a worker runs at a time, each of another vendor or operator. */
const jobBatchesMax = 2;

/** Runs workflows, activities and the relay over one connection to Temporal. */
export async function startWorker(options: {
  readonly config: ConfigWith<'DATABASE_URL' | 'SECRETS_KEY'>;
  readonly connection: NativeConnection;
  readonly workflowBundle: WorkflowBundle;
  readonly log: Logger;
  readonly onRecorded?: ((result: AttemptResult) => void) | undefined;
  /** Records spans; null or absent: none. */
  readonly tracing?: Tracing | null;
  /**
   * Runs workflow code, without a limit on its time, and sends in the calling thread. A start then
   * takes a tenth of the processor time. Default: in threads of their own.
   */
  readonly isSingleThreaded?: boolean;
  /** Called before the first delivery is claimed. */
  readonly onCreated?: () => void;
}): Promise<RunningWorker> {
  const { config, connection, workflowBundle, log, tracing = null } = options;
  const { isSingleThreaded = false } = options;
  const client = clientOver(connection, config);
  await registerSearchAttributes(client).catch((error: unknown) => {
    log.warn(
      { err: error },
      'cannot register the search attributes; register them by hand (docs/operating.md)',
    );
  });
  const sql = connect(config.DATABASE_URL, {
    max: config.DATABASE_POOL_MAX,
    name: 'vendor-gateway worker',
  });
  const timeoutMs = config.WEBHOOK_TIMEOUT_MS;
  const sealer = createSealer(config.SECRETS_KEY);
  const policy = {
    allowedPorts: config.WEBHOOK_ALLOWED_PORTS,
    allowedOrigins: config.WEBHOOK_ALLOWED_ORIGINS,
  };
  const sender = isSingleThreaded
    ? createSender({ policy, timeoutMs })
    : createThreadSender({
        policy,
        timeoutMs,
        onLost: (error) => log.error({ err: error }, 'the sender thread failed; starting another'),
      });
  const pipeline = createDeliveryPipeline({
    sql,
    sender,
    sealer,
    userAgent: `vendor-gateway/${version}`,
    hostConcurrencyMax: config.WEBHOOK_HOST_CONCURRENCY,
    subscriptionConcurrencyMax: config.WEBHOOK_SUBSCRIPTION_CONCURRENCY,
    keepsAnswers: config.WEBHOOK_KEEP_ANSWERS,
    onRecorded: options.onRecorded,
    tracing,
    failureLimit: {
      failingMs: config.WEBHOOK_DISABLE_AFTER_MS,
      deadLetters: config.WEBHOOK_DISABLE_DEAD_LETTERS,
    },
  });
  const runningBatches = createRunningBatches();
  const activities = createActivities(
    {
      sql,
      runs: createRuns(client, { taskQueue: config.TEMPORAL_TASK_QUEUE }),
      log,
      retentionMs: config.WEBHOOK_RETENTION_MS,
      jobRetentionMs: config.JOB_RETENTION_MS,
      vatRateBasisPoints: config.VAT_RATE,
      jobWorkPercent: config.JOB_WORK_PERCENT,
      runningBatches,
    },
    pipeline,
  );
  const build = await deployedBuildOf(config, workflowBundle);
  const common = {
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    workflowBundle,
    dataConverter: dataConverterOf(config),
    activities,
    debugMode: isSingleThreaded,
    interceptors: {
      activity: [...(tracing === null ? [] : [traceActivities(tracing)]), redactErrors(log)],
    },
    shutdownGraceTime: '10 seconds',
    shutdownForceTime: '20 seconds',
  } satisfies Partial<WorkerOptions>;
  const SharingWorker = workersOfOneThread();
  const workers = await Promise.all([
    // With a thread of its own, so that a backlog of deliveries delays no decision.
    Worker.create({
      ...common,
      ...versioningOptions(build, 'PINNED'),
      taskQueue: config.TEMPORAL_TASK_QUEUE,
      maxConcurrentWorkflowTaskExecutions: 500,
      maxConcurrentLocalActivityExecutions: 500,
      // A retry that waits for a slot of a slow receiver takes an activity slot too.
      maxConcurrentActivityTaskExecutions: 5000,
    }),
    SharingWorker.create({
      ...common,
      // Its runs wait for days.
      ...versioningOptions(build, 'AUTO_UPGRADE'),
      taskQueue: decisionQueueOf(config.TEMPORAL_TASK_QUEUE),
      // Its runs have local activities only.
      enableNonLocalActivities: false,
      stickyQueueScheduleToStartTimeout: decisionStickyTimeoutMs,
      maxCachedWorkflows: 200,
      maxConcurrentWorkflowTaskExecutions: 100,
      maxConcurrentLocalActivityExecutions: 100,
    }),
    SharingWorker.create({
      ...common,
      ...versioningOptions(build, 'PINNED'),
      taskQueue: jobQueueOf(config.TEMPORAL_TASK_QUEUE),
      maxCachedWorkflows: 100,
      maxConcurrentWorkflowTaskExecutions: 20,
      // Each batch takes a connection to Postgres and most of a core of it.
      maxConcurrentActivityTaskExecutions: jobBatchesMax,
    }),
  ]);
  const shutdown = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  // If one of them fails, the process ends.
  const running = Promise.allSettled(workers.map((worker) => worker.run().finally(shutdown)));
  options.onCreated?.();
  const relay = startRelay({
    sql,
    databaseUrl: config.DATABASE_LISTEN_URL ?? config.DATABASE_URL,
    handleMessage: traceMessages(
      tracing,
      createMessageHandler(client, {
        taskQueue: config.TEMPORAL_TASK_QUEUE,
        retryDelaysMs: config.WEBHOOK_RETRY_DELAYS_MS,
        timeoutMs,
        isVersioned: build !== null,
      }),
    ),
    isOutage: isTemporalOutage,
    log,
    lowPriorityPerSecond: config.RELAY_LOW_PRIORITY_PER_SECOND,
    hasJobs: runningBatches.areAny,
    deliveries: {
      pipeline,
      retryDelayMs: config.WEBHOOK_RETRY_DELAYS_MS[0] ?? null,
      timeoutMs,
      runsPerSecond: config.WEBHOOK_RUNS_PER_SECOND,
    },
  });
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
    const ends = await running;
    await relay.stop();
    await Promise.all([maintenance.stop(), secretWatch.stop(), deploymentWatch?.stop()]);
    await sender.close();
    await sql.end({ timeout: 5 });
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  })();
  return {
    stopped,
    isHealthy: () => workers.every((worker) => worker.getState() === 'RUNNING'),
    messagesSetAside: maintenance.messagesSetAside,
    secrets: secretWatch.counts,
    slots: pipeline.slots,
    stop: async () => {
      shutdown();
      await relay.stop();
      await stopped;
    },
  };
}

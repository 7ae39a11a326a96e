import { Worker, type WorkerOptions } from '@temporalio/worker';
import type { Activities } from '../activities/index.ts';
import { decisionQueueOf, decisionStickyTimeoutMs, jobQueueOf } from '../temporal/task-queues.ts';
import { redactErrors } from './redact-errors.ts';
import { workersOfOneThread } from './shared-workflow-thread.ts';
import { traceActivities } from './trace-activities.ts';
import { versioningOptions, type DeployedBuild } from './versioning.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** The batches of jobs that a worker runs at a time, each of another vendor or operator. */
const jobBatchesMax = 2;
/**
 * The workflow tasks of a queue that a worker handles at a time. With many more, all of them take
 * longer than their time limit on a slow machine, and Temporal repeats them without end.
 */
const workflowTasksMax = 20;

/** Creates the SDK's workers: one for each task queue of the gateway. */
export function createTemporalWorkers({
  config,
  connection,
  workflowBundle,
  log,
  tracing = null,
  isSingleThreaded = false,
  activities,
  build,
}: WorkerSettings & {
  readonly activities: Activities;
  readonly build: DeployedBuild | null;
}): Promise<readonly Worker[]> {
  const { TEMPORAL_NAMESPACE: namespace, TEMPORAL_TASK_QUEUE: taskQueue } = config;
  const common = {
    connection,
    namespace,
    workflowBundle,
    activities,
    debugMode: isSingleThreaded,
    interceptors: {
      activity: [...(tracing === null ? [] : [traceActivities(tracing)]), redactErrors(log)],
    },
    shutdownForceTime: '20 seconds',
    maxConcurrentWorkflowTaskExecutions: workflowTasksMax,
  } satisfies Partial<WorkerOptions>;
  const SharingWorker = workersOfOneThread();
  return Promise.all([
    // With a thread of its own, so that a backlog of deliveries delays no decision.
    Worker.create({
      ...common,
      ...versioningOptions(build, 'PINNED'),
      taskQueue,
      // A run in the cache takes some 300 kB, and a delivery waits for hours between its retries.
      // The history of one that is not in the cache is short.
      maxCachedWorkflows: 200,
      // A retry that waits for a slot of a slow receiver takes an activity slot too.
      maxConcurrentActivityTaskExecutions: 5000,
    }),
    SharingWorker.create({
      ...common,
      // Its runs wait for days.
      ...versioningOptions(build, 'AUTO_UPGRADE'),
      taskQueue: decisionQueueOf(taskQueue),
      // Its runs have local activities only.
      enableNonLocalActivities: false,
      stickyQueueScheduleToStartTimeout: decisionStickyTimeoutMs,
      maxCachedWorkflows: 200,
    }),
    SharingWorker.create({
      ...common,
      ...versioningOptions(build, 'PINNED'),
      taskQueue: jobQueueOf(taskQueue),
      maxCachedWorkflows: 100,
      // Each batch takes a connection to Postgres and most of a core of it.
      maxConcurrentActivityTaskExecutions: jobBatchesMax,
    }),
  ]);
}

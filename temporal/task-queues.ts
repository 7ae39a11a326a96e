/**
 * The task queue of the runs that people wait for: reviews, inspections, and advances of clocks. A
 * backlog of deliveries on the gateway's own queue then delays none. `taskQueue` is
 * TEMPORAL_TASK_QUEUE.
 */
export const decisionQueueOf = (taskQueue: string): string => `${taskQueue}-decisions`;

/**
 * The task queue of bulk jobs and review jobs, so that their batches take no slot of other work.
 */
export const jobQueueOf = (taskQueue: string): string => `${taskQueue}-jobs`;

/** The task queues of one gateway, whose runs no other gateway of the namespace may touch. */
export const queuesOf = (taskQueue: string): readonly string[] => [
  taskQueue,
  decisionQueueOf(taskQueue),
  jobQueueOf(taskQueue),
];

/** The condition of a list query for the runs of one gateway. */
export const ofQueues = (taskQueue: string): string =>
  `TaskQueue in (${queuesOf(taskQueue)
    .map((queue) => `'${queue}'`)
    .join(', ')})`;

/**
 * The time after which Temporal repeats a decision's workflow task that a killed worker had taken.
 * With Temporal's default of 10 s, which is also the default of DECISION_TIMEOUT_MS, a decision
 * would fail before the repetition. A much shorter time would repeat tasks without end on an
 * overloaded machine.
 */
export const decisionTaskTimeoutMs = 5000;

/**
 * How long a task waits for the worker that has its run in the cache, before any worker may take
 * it. Temporal's default is 10 s.
 */
export const decisionStickyTimeoutMs = 500;

import type { PartState } from '../../process/health/check-parts.ts';

/** A single failed task can be a temporary fault of the server. */
const failuresMin = 3;

/** The sum of a metric over all of its labels. */
const sumOf = (metrics: string, name: string): number =>
  Array.from(metrics.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))).reduce(
    (sum, [, value]) => sum + Number(value),
    0,
  );

/**
 * Follows the metrics of the Temporal SDK: `failing` when the latest workflow tasks have all
 * failed, at least three of them, for example because the code does not fit the histories. `follow`
 * takes each reading.
 */
export function createTaskFailures() {
  let failed = 0;
  let completed = 0;
  let failedInARow = 0;
  return {
    follow: (metrics: string): void => {
      const failedNow = sumOf(metrics, 'temporal_workflow_task_execution_failed');
      const endedNow = sumOf(metrics, 'temporal_workflow_task_execution_latency_count');
      const completedNow = endedNow - failedNow;
      failedInARow = completedNow > completed ? 0 : failedInARow + failedNow - failed;
      failed = failedNow;
      completed = Math.max(completed, completedNow);
    },
    state: (): PartState => (failedInARow >= failuresMin ? 'failing' : 'ok'),
  };
}

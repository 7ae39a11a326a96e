import { expect, test } from 'vitest';
import { createTaskFailures } from '../../../worker/metrics/task-failures.ts';

/** What the SDK's core writes: latencies count each ended task, failed ones too. */
const metrics = (failed: number, ended: number): string =>
  [
    '# TYPE temporal_workflow_task_execution_failed counter',
    `temporal_workflow_task_execution_failed{failure_reason="NonDeterminismError"} ${failed}`,
    'temporal_workflow_task_execution_latency_bucket{le="+Inf"} 99',
    `temporal_workflow_task_execution_latency_count{task_queue="a"} ${ended}`,
    'temporal_workflow_task_execution_latency_count{task_queue="b"} 0',
    '',
  ].join('\n');

test('reports failing workflow tasks once three have failed and none was completed since', () => {
  const tasks = createTaskFailures();
  const stateAfter = (failed: number, ended: number) => {
    tasks.follow(metrics(failed, ended));
    return tasks.state();
  };
  expect(stateAfter(0, 10)).toBe('ok');
  expect(stateAfter(2, 12)).toBe('ok');
  expect(stateAfter(4, 14)).toBe('failing');
  expect(stateAfter(4, 15)).toBe('ok');
  // Failures beside completed tasks.
  for (let round = 1; round < 9; round += 1) expect(stateAfter(5 * round, 20 * round)).toBe('ok');
});

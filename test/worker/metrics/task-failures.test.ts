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

test('workflow tasks are failing once three have failed and none was completed since', () => {
  const tasks = createTaskFailures();
  tasks.follow(metrics(0, 10));
  expect(tasks.state()).toBe('ok');
  tasks.follow(metrics(2, 12));
  expect(tasks.state()).toBe('ok');
  tasks.follow(metrics(4, 14));
  expect(tasks.state()).toBe('failing');
  tasks.follow(metrics(4, 15));
  expect(tasks.state()).toBe('ok');
});

test('failures beside completed tasks are no failing worker', () => {
  const tasks = createTaskFailures();
  for (let round = 1; round < 9; round += 1) tasks.follow(metrics(5 * round, 6 * round));
  expect(tasks.state()).toBe('ok');
});

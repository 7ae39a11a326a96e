import { expect, test } from 'vitest';
import { sdkLogger } from '../../worker/sdk-logger.ts';
import { memoryLog } from '../support/gateway/leaks.ts';

test('the log has the error of an activity, with its type and its stack', () => {
  const { log, lines } = memoryLog();
  sdkLogger(log).warn('Activity failed', { error: new TypeError('no such thing'), attempt: 3 });
  const line: unknown = JSON.parse(lines[0] ?? '');
  expect(line).toMatchObject({
    msg: 'Activity failed',
    attempt: 3,
    err: {
      type: 'TypeError',
      message: 'no such thing',
      stack: expect.stringContaining('sdk-logger.test.ts'),
    },
  });
});

test('a warning of the SDK’s core keeps its cause and has the gateway’s field names', () => {
  const { log, lines } = memoryLog();
  sdkLogger(log).warn('cannot poll', { error: 'Status { code: Unavailable }', task_queue: 'q' });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 40,
    msg: 'cannot poll',
    taskQueue: 'q',
    err: { type: 'TemporalCoreError', message: 'Status { code: Unavailable }' },
  });
});

test('a workflow task that failed is an error with workflow id, type and run id', () => {
  const { log, lines } = memoryLog();
  const sdk = sdkLogger(log);
  sdk.trace('Creating workflow', {
    runId: 'run-1',
    workflowId: 'offer-review/1',
    workflowType: 'offerReview',
  });
  sdk.warn('Failing workflow task', {
    run_id: 'run-1',
    failure:
      'Failure { failure: Some(Failure { message: "[TMPRL1100] Nondeterminism error: no", ' +
      'source: ""',
  });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 50,
    msg: 'a workflow task failed',
    workflowId: 'offer-review/1',
    workflowType: 'offerReview',
    runId: 'run-1',
    err: { type: 'NondeterminismError', message: '[TMPRL1100] Nondeterminism error: no' },
  });
});

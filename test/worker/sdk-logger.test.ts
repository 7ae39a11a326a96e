import { expect, test } from 'vitest';
import { sdkLogger } from '../../worker/sdk-logger.ts';
import { memoryLog } from '../support/memory-log.ts';

/** The lines that the log has after `write`. */
function logged(write: (sdk: ReturnType<typeof sdkLogger>) => void): unknown[] {
  const { log, lines } = memoryLog();
  write(sdkLogger(log));
  return lines.map((line) => JSON.parse(line));
}

test('logs the error of an activity with its type and its stack', () => {
  const error = new TypeError('no such thing');
  const stack = expect.stringContaining('sdk-logger.test.ts');
  const err = { type: 'TypeError', message: 'no such thing', stack };
  expect(logged((sdk) => sdk.warn('Activity failed', { error, attempt: 3 }))).toMatchObject([
    { msg: 'Activity failed', attempt: 3, err },
  ]);
});

test('logs a warning of the SDK’s core with its cause, by the gateway’s field names', () => {
  const message = 'Status { code: Unavailable }';
  const fields = { level: 40, msg: 'cannot poll', taskQueue: 'q' };
  expect(
    logged((sdk) => sdk.warn('cannot poll', { error: message, task_queue: 'q' })),
  ).toMatchObject([{ ...fields, err: { type: 'TemporalCoreError', message } }]);
});

test('logs a workflow task that failed as an error with the ids of its run', () => {
  const run = { runId: 'run-1', workflowId: 'offer-review/1', workflowType: 'offerReview' };
  const message = '[TMPRL1100] Nondeterminism error: no';
  const failure = `Failure { failure: Some(Failure { message: "${message}", source: ""`;
  const lines = logged((sdk) => {
    sdk.trace('Creating workflow', run);
    sdk.warn('Failing workflow task', { run_id: 'run-1', failure });
  });
  expect(lines).toHaveLength(1);
  const err = { type: 'NondeterminismError', message };
  expect(lines).toMatchObject([{ ...run, level: 50, msg: 'a workflow task failed', err }]);
});

import { expect, test } from 'vitest';
import { sdkLogger } from '../../worker/sdk-logger.ts';
import { memoryLog } from '../support/leaks.ts';

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

import { expect, test } from 'vitest';
import { runScript } from '../support/command.ts';

test('the benchmarks load without vitest, and are named to one that they do not know', async () => {
  expect(await runScript('bench/main.ts', ['no-such'], {})).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^No benchmark no-such: http-floor, /),
  });
});

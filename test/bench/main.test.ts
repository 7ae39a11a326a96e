import { expect, test } from 'vitest';
import { runScript } from '../support/command.ts';

test('loads the benchmarks without vitest, and lists them for an unknown name', async () => {
  expect(await runScript('bench/main.ts', ['no-such'], {})).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^No benchmark no-such: http-floor, /),
  });
});

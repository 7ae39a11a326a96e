import { expect, test } from 'vitest';
import { lineOf } from '../../../clients/cli/src/core/explain.ts';
import { guardStream } from '../../../clients/cli/src/core/guarded-stream.ts';
import { createOutput, inLine, tableOf } from '../../../clients/cli/src/core/output.ts';
import { startProgress, timeLeft } from '../../../clients/cli/src/core/progress.ts';
import { fakeStream } from './cli-fixture.ts';

/** An output whose streams keep what is written. */
function newOutput(isJson: boolean, isTTY = false) {
  const [stdout, stderr] = [fakeStream(isTTY), fakeStream(isTTY)];
  const output = createOutput(guardStream(stdout.stream), guardStream(stderr.stream), isJson);
  return { output, written: () => ({ stdout: stdout.text(), stderr: stderr.text() }) };
}

/** A clear-screen command, a CSI of one byte, an overridden direction and a line separator. */
const hostile = 'a\u001b[2Jb\u009b1mc\u202ed\u2066e\u2028f\u0007';
const shown = String.raw`a\u001b[2Jb\u009b1mc\u202ed\u2066e\u2028f\u0007`;

test('shows control and bidirectional characters of the server as escapes', () => {
  const { written, output } = newOutput(false);
  output.result({}, hostile);
  output.note(hostile);
  expect(written()).toEqual({ stdout: `${shown}\n`, stderr: `${shown}\n` });
});

test('escapes the same characters in JSON, so that a reader gets the same value', () => {
  const { written, output } = newOutput(true);
  output.result({ reason: hostile }, null);
  output.error({ reason: hostile });
  const { stdout, stderr } = written();
  expect(stdout).toBe(stderr);
  expect(stdout).toMatch(/^[ -~]+\n$/);
  expect(JSON.parse(stdout)).toEqual({ reason: hostile });
});

test.for([
  ['keeps a text unchanged in a file', false, `${hostile}\r\n`],
  ['shows a file with escapes on a terminal', true, `${shown}\n`],
] as const)('%s', ([_name, isTTY, expected]) => {
  const { written, output } = newOutput(false, isTTY);
  output.file(`${hostile}\r\n`);
  expect(written().stdout).toBe(expected);
});

test('lets no text of the server add a line', () => {
  expect(inLine('a\nb')).toBe(String.raw`a\nb`);
  expect(tableOf(['NAME'], [['x\nCreated 5.']])).toBe('NAME\nx\\nCreated 5.');
  const reasons = [{ field: null, code: 'X', message: 'no\nCreated 5.' }];
  const explanation = { exitCode: 1, code: 'X', reasons, hint: null, requestId: null } as const;
  expect(lineOf(explanation).split('\n')).toHaveLength(1);
});

test.for([
  ['The file ../a.csv cannot be read: ENOENT', 'X: The file ../a.csv cannot be read: ENOENT. Ask.'],
  ['The limit is 10 calls.', 'X: The limit is 10 calls. Ask.'],
] as const)('ends the message %s with one dot', ([message, line]) => {
  const reasons = [{ field: null, code: 'X', message }];
  const explanation = { exitCode: 1, code: 'X', reasons, hint: 'Ask.', requestId: null } as const;
  expect(lineOf(explanation)).toBe(line);
});

test('shows in a bar what is done, what failed and the time that is left', () => {
  const { written, output } = newOutput(false, true);
  const progress = startProgress(output, 4000);
  progress.show({ done: 990, failed: 10 });
  progress.step(true);
  progress.end();
  const { stderr } = written();
  expect(stderr).toContain('0% | 0/4000 | 0 done, 0 failed | no estimate yet');
  expect(stderr).toContain('25% | 1001/4000 | 990 done, 11 failed');
});

test.for([
  ['without a terminal', false, false],
  ['for lines of JSON', true, true],
] as const)('shows no bar %s', ([_name, isTTY, isJson]) => {
  const { written, output } = newOutput(isJson, isTTY);
  const progress = startProgress(output, 10);
  progress.step();
  progress.end();
  expect(written()).toEqual({ stdout: '', stderr: '' });
});

test.for([
  [1000, 0, 5, 'no estimate yet'],
  [10_000, 100, 900, '1 min 30 s left'],
  [10_000, 1000, 100, '1 s left'],
  [10_000, 0, 0, '0 s left'],
] as const)('estimates after %i ms, %i done and %i left: %s', ([tookMs, done, left, text]) => {
  expect(timeLeft(tookMs, done, left)).toBe(text);
});

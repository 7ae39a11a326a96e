import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../support/programs.ts';

/** Every loop of a guide ends: after a minute at the latest, or it is marked. */

const pages = ['docs', 'clients']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { encoding: 'utf8', recursive: true }).map((file) =>
      join(folder, file),
    ),
  )
  .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

const blockPattern = /^```(?:sh|bash|ts|js|py|python|go|java|php)\n[\s\S]*?^```$/gm;

/** The heads of loops that go on until something happens, and the lines around each. */
const loopPattern = /(?:^.*\n)?^[ \t]*(?:until\b|while\b|do \{|for \(;;\)|for \{).*(?:\n.*){0,3}/gm;

/** A comparison with the clock, in each language; or the mark of a program that serves for ever. */
const limits = [
  'Date.now() < end',
  'time.monotonic() < end',
  '[ "$(date +%s)" -ge "$END" ]',
  '// Until you stop the program.',
];

test('has no loop without a limit in a block of a guide', () => {
  const loops = pages.flatMap(({ file, text }) =>
    (text.match(blockPattern) ?? [])
      .flatMap((block) => block.match(loopPattern) ?? [])
      .map((loop) => `${file}: ${loop}`),
  );
  for (const limit of limits) expect(loops).toContainEqual(expect.stringContaining(limit));
  expect(loops.filter((loop) => !limits.some((limit) => loop.includes(limit)))).toEqual([]);
});

const waits = pages.flatMap(({ text }) =>
  Array.from(text.matchAll(/^wait_for\(\) \{$[\s\S]*?^\}$/gm), ([code]) => code),
);

test('waits in the same way in all guides', () => {
  expect(waits.length).toBeGreaterThan(3);
  expect(new Set(waits).size).toBe(1);
});

/** Runs a wait in a shell in which each sleep takes twenty seconds of its clock. */
function waitIn(shell: string, command: string) {
  const clock = 'NOW=0; date() { echo "$NOW"; }; sleep() { NOW=$((NOW + 20)); }';
  const script = `set -eu\n${clock}\n${waits[0]}\n${command}`;
  const options = { encoding: 'utf8', timeout: 5000 } as const;
  const { status, stdout, stderr } = spawnSync(shell, ['-c', script], options);
  return { status, stdout, stderr };
}

test.for(['bash', 'sh'])('ends a wait in %s at its success, or fails after a minute', (shell) => {
  const late = 'TRIES=0; late() { TRIES=$((TRIES + 1)); [ "$TRIES" -gt 2 ]; }';
  expect(waitIn(shell, `${late}\nwait_for late; echo "$TRIES"`)).toEqual({
    status: 0,
    stdout: '3\n',
    stderr: '',
  });
  expect(waitIn(shell, 'wait_for false')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'After a minute this still fails: false\n',
  });
});

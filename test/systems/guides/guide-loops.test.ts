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

/** The loops without a limit in the blocks of a page. */
const endlessIn = (text: string): readonly string[] =>
  (text.match(blockPattern) ?? [])
    .flatMap((block) => block.match(loopPattern) ?? [])
    .filter((loop) => !limits.some((limit) => loop.includes(limit)));

const inBlock = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\`\n`;

test('no block of a guide has a loop without a limit', () => {
  expect(pages.length).toBeGreaterThan(30);
  const found = pages.flatMap(({ file, text }) =>
    endlessIn(text).map((loop) => `${file}: ${loop}`),
  );
  expect(found).toEqual([]);
});

test.for([
  ['sh', 'until curl -s http://127.0.0.1:8790; do sleep 0.2; done'],
  ['sh', 'while :; do\n  sleep 1\ndone'],
  ['ts', 'for (;;) {\n  await sleep(1);\n}'],
  ['js', 'do {\n  await sleep(1);\n} while (isOpen);'],
  ['py', 'def wait():\n    while True:\n        time.sleep(1)'],
  ['go', 'for {\n\ttime.Sleep(1)\n}'],
] as const)('a loop without a limit is found in %s: %s', ([language, code]) => {
  expect(endlessIn(inBlock(language, code))).not.toEqual([]);
});

const waits = pages.flatMap(({ file, text }) =>
  Array.from(text.matchAll(/^wait_for\(\) \{$[\s\S]*?^\}$/gm), ([code]) => ({ file, code })),
);

const run = (shell: string, script: string) =>
  spawnSync(shell, ['-c', script], { encoding: 'utf8', timeout: 5000 });

test('the guides wait in one way', () => {
  expect(waits.length).toBeGreaterThan(3);
  expect(new Set(waits.map(({ code }) => code)).size).toBe(1);
});

test.for(['bash', 'sh'])(
  'a wait in %s that is in vain fails after a minute, and says so',
  (shell) => {
    // In this shell each sleep takes twenty seconds of its clock.
    const clock = 'NOW=0; date() { echo "$NOW"; }; sleep() { NOW=$((NOW + 20)); }';
    const { status, stderr, stdout } = run(shell, `${clock}\n${waits[0]?.code}\nwait_for false`);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe('After a minute this still fails: false\n');
  },
);

test('a wait ends as soon as its command succeeds', () => {
  const late = 'TRIES=0; late() { TRIES=$((TRIES + 1)); [ "$TRIES" -gt 2 ]; }; sleep() { :; }';
  const { status, stdout } = run(
    'bash',
    `set -eu\n${late}\n${waits[0]?.code}
wait_for late; echo "$TRIES"`,
  );
  expect({ status, stdout }).toEqual({ status: 0, stdout: '3\n' });
});

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { guideGroups, guidesIn } from '../../../api/reference/pages/guide-list.ts';
import { environments } from '../../../domain/accounts/credentials.ts';
import { newFolder } from '../../support/folder.ts';
import { root } from '../../support/programs.ts';
import { blocksIn, guide, runs } from './guide-steps.ts';

/**
 * Every loop of a guide ends: after a minute at the latest, or it is marked. A refused call ends
 * the commands of its block.
 */

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
  const { signal, status, stdout, stderr } = spawnSync(shell, ['-c', script], options);
  return { signal, status, stdout, stderr };
}

test.for(['bash', 'sh'])('ends a wait in %s at its success, or fails after a minute', (shell) => {
  const late = 'TRIES=0; late() { TRIES=$((TRIES + 1)); [ "$TRIES" -gt 2 ]; }';
  expect(waitIn(shell, `${late}\nwait_for late; echo "$TRIES"`)).toEqual({
    signal: null,
    status: 0,
    stdout: '3\n',
    stderr: '',
  });
  expect(waitIn(shell, 'wait_for false')).toEqual({
    signal: 'SIGINT',
    status: null,
    stdout: '',
    stderr: 'After a minute this still fails: false\n',
  });
});

const served = environments.flatMap((environment) =>
  guideGroups.flatMap((group) =>
    guidesIn(group, environment).map(([name]) => ({ name, environment })),
  ),
);
const functionPattern = /^(?:#.*\n)*^\w+\(\) \{$[\s\S]*?^\}$/gm;

test('has one text of each function that several guides have', () => {
  const texts = new Map<string, Set<string>>();
  for (const { name, environment } of served)
    for (const block of blocksIn(guide(name, environment), 'sh'))
      for (const code of block.match(functionPattern) ?? []) {
        const [, key = ''] = /^(\w+)\(\)/m.exec(code) ?? [];
        texts.set(key, (texts.get(key) ?? new Set()).add(code));
      }
  expect(texts.keys()).toContain('field');
  expect([...texts].filter(([, different]) => different.size > 1)).toEqual([]);
});

test('takes a part of a response by field only, which ends the commands of its block', () => {
  for (const { name, environment } of served)
    for (const block of blocksIn(guide(name, environment), 'sh')) {
      const code = block.replaceAll(functionPattern, '');
      expect(code.match(/.*\bjq\b(?! -c '\{state)[^|]*'?\.payload.*/g) ?? [], name).toEqual([]);
    }
});

const refused = '{"state":"UNAUTHORIZED_TOKEN_EXPIRED","payload":null,"details":{}}';
const hasTerminal = runs('script', '--version') && runs('jq', '--help');

/** Pastes blocks into a shell at a terminal whose every call is refused; what each prints. */
async function pasteRefused(page: string, folder: string): Promise<readonly string[]> {
  const blocks = blocksIn(page, 'sh');
  const files = Array.from(page.matchAll(/[\w-]+\.json\b/g), ([file]) => file);
  const given = [
    `PS1= PS2=; stty -echo; cd ${folder}`,
    `curl() { [[ "$*" == *'-o /dev/null'* ]] || printf %s '${refused}'; }`,
    'node() { :; }; npx() { :; }; kill() { [[ "$1" != -INT ]] || command kill "$@"; }',
    ...new Set(files.map((file) => `printf %s '${refused}' > ${file}`)),
    ...blocks.flatMap((block) => block.match(functionPattern) ?? []),
    'NOW=0; date() { echo "$NOW"; }; sleep() { NOW=$((NOW + 20)); }',
  ];
  const pasted = blocks.flatMap((block, index) => [
    `echo "=== $((${index})) ==="`,
    block.replaceAll(functionPattern, ''),
  ]);
  await writeFile(join(folder, 'given.sh'), given.join('\n'));
  const { stdout } = spawnSync('script', ['-qec', 'bash --norc --noprofile -i', '/dev/null'], {
    input: [`. ${join(folder, 'given.sh')}`, ...pasted, 'exit', ''].join('\n'),
    encoding: 'utf8',
    timeout: 60_000,
  });
  const [, ...outputs] = stdout.split(/^=== \d+ ===\r?$/m);
  expect(outputs).toHaveLength(blocks.length);
  return outputs;
}

test.skipIf(!hasTerminal).for(served)(
  'prints a refused response once for each block of $name in $environment, and stops there',
  async ({ name, environment }, { onTestFinished }) => {
    const page = guide(name, environment);
    const blocks = blocksIn(page, 'sh');
    if (!page.includes('field() {')) return;
    const outputs = await pasteRefused(page, await newFolder(onTestFinished));
    for (const [index, output] of outputs.entries()) {
      if (!/\bfield \S/.test((blocks[index] ?? '').replaceAll(functionPattern, ''))) continue;
      const failed = output.match(/^The call failed: .*$/gm) ?? [];
      expect(
        failed.map((line) => line.trim()),
        blocks[index],
      ).toEqual([`The call failed: ${refused}`]);
      expect(output, blocks[index]).not.toMatch(/^"?null"?\r?$/m);
    }
  },
);

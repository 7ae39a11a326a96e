import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import { guideGroups } from '../../../api/reference/pages/guide-list.ts';
import { root } from '../../support/programs.ts';
import { guideTest as test } from './guide-fixture.ts';
import { testPrograms } from './guide-programs.ts';
import { blocksIn, reasonsIn } from './guide-steps.ts';
import { hasShell, pasteCommands } from './run-steps.ts';

/** The commands of every guide, pasted twice into one shell from the top to the end. */

const pages = [...guideGroups.map(({ folder }) => folder), 'docs/operating']
  .flatMap((folder) => readdirSync(join(root, folder)).map((file) => join(root, folder, file)))
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({ name: basename(file, '.md'), text: readFileSync(file, 'utf8') }))
  .filter(({ text }) => blocksIn(text, 'sh').length > 0);

/**
 * The pages for those who run the gateway. Their commands need what a test has not, or change the
 * machine; each is marked with its reason.
 */
const notRun = {
  cluster: ['it installs packages', 'it needs Kubernetes', 'it needs Kubernetes'],
  faults: ['it installs packages and takes a quarter of an hour'],
  'generated-clients': Array.from(
    { length: 4 },
    () => '`.ci/generators/run` runs a similar command',
  ),
  installing: ['it needs Docker', 'it needs a Temporal server of its own'],
  keys: ['it changes the keys of a running gateway', 'it changes the keys of a running gateway'],
  logs: ['it only sets variables', 'it needs a run of yours'],
  repairs: ['it repairs a running gateway', 'it needs a Temporal server of its own'],
  backups: [
    'it reads the database of a running gateway',
    'it replaces the database of a gateway',
    'it needs Docker',
  ],
  upgrading: ['it needs a build of yours', 'it needs a build of yours'],
};

/** Only a sandbox has its calls: sandbox.test.ts pastes them. */
const ofSandbox = 'sandbox';

const names = pages
  .map(({ name }) => name)
  .filter((name) => name !== ofSandbox && !Object.hasOwn(notRun, name));

test.skipIf(!hasShell).for(names)(
  'the commands of docs/%s.md have the answers that it shows, also when pasted again',
  { timeout: 120_000 },
  async (name, { filled, folder }) => {
    const { objections, answers } = await pasteCommands(name, { filled, folder });
    expect(objections).toEqual([]);
    expect(answers).toBeGreaterThan(0);
  },
);

test('every other block of commands says why it is not run', () => {
  const others = pages.filter(({ name }) => Object.hasOwn(notRun, name));
  const marked = others.map(({ name, text }) => [name, reasonsIn(text)] as const);
  expect(Object.fromEntries(marked)).toEqual(notRun);
  for (const { name, text } of pages)
    expect(reasonsIn(text).length, name).toBe(
      Object.hasOwn(notRun, name) ? blocksIn(text, 'sh').length : 0,
    );
});

// In a shell, the credential has a block of its own.
testPrograms(test, 'first-day', 1);

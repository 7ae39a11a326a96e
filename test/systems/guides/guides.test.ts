import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import { root } from '../../support/programs.ts';
import { guideTest as test } from './guide-fixture.ts';
import { testPrograms } from './guide-programs.ts';
import { blocksIn, reasonsIn } from './guide-steps.ts';
import { expectToPrint, hasShell } from './run-steps.ts';

/** The commands of every guide, pasted twice into one shell from the top to the end. */

const pages = ['docs', 'docs/operators', 'docs/operating']
  .flatMap((folder) => readdirSync(join(root, folder)).map((file) => join(root, folder, file)))
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({ name: basename(file, '.md'), text: readFileSync(file, 'utf8') }))
  .filter(({ text }) => blocksIn(text, 'sh').length > 0);

/**
 * The pages for those who run the gateway. Their commands need what a test has not, or change the
 * machine; each is marked with its reason.
 */
const notRun = new Set(
  'backups cluster faults generated-clients installing keys logs repairs upgrading'.split(' '),
);

/** Only a sandbox has its calls: sandbox.test.ts pastes them. */
const ofSandbox = 'sandbox';

const names = pages
  .map(({ name }) => name)
  .filter((name) => name !== ofSandbox && !notRun.has(name));

test.skipIf(!hasShell).for(names)(
  'prints for the commands of docs/%s.md what the page shows, also when pasted again',
  (name, { filled, folder }) => expectToPrint(name, { filled, folder }),
);

test('says of every other block of commands why it is not run', () => {
  for (const { name, text } of pages) {
    const marked = notRun.has(name) ? blocksIn(text, 'sh').length : 0;
    expect(reasonsIn(text), name).toHaveLength(marked);
  }
});

// In a shell, the credential has a block of its own.
testPrograms(test, 'first-day', 1);

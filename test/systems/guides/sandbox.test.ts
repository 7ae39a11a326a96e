import { expect } from 'vitest';
import { blocksIn, guide } from './guide-blocks.ts';
import { guideTest } from './guide-fixture.ts';
import { testPrograms } from './guide-programs.ts';
import { hasShell, pasteCommands } from './paste-commands.ts';

/** docs/sandbox.md, in a sandbox. */

const test = guideTest.extend('environment', { scope: 'file' }, 'Sandbox');

test.skipIf(!hasShell)(
  'the commands of docs/sandbox.md have the answers that it shows, also when pasted again',
  { timeout: 120_000 },
  async ({ filled, folder }) => {
    const { objections, answers } = await pasteCommands('sandbox', { filled, folder });
    expect(objections).toEqual([]);
    expect(answers).toBeGreaterThan(0);
  },
);

// In a shell, the command line has a block of its own.
testPrograms(test, 'sandbox', 1);

test('its receiver is that of the first day', async () => {
  const receivers = ['sandbox', 'first-day'].map(async (name) => blocksIn(await guide(name), 'js'));
  const [own, other] = await Promise.all(receivers);
  expect(own).toEqual(other);
});

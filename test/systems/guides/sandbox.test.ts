import { expect } from 'vitest';
import { blocksIn, guide } from './guide-blocks.ts';
import { guideTest } from './guide-fixture.ts';
import { testPrograms } from './guide-programs.ts';
import { sendFile } from './http-file.ts';
import { hasShell, pasteCommands } from './paste-commands.ts';

/** docs/sandbox.md and docs/http/sandbox.http, in a sandbox. */

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

test('docs/http/sandbox.http passes from the top to the end', async ({ apiUrl }) => {
  const { failures, expectations } = await sendFile('sandbox.http', { baseUrl: apiUrl });
  expect(failures).toEqual([]);
  expect(expectations).toBeGreaterThan(60);
});

test('its receiver is that of the first day', async () => {
  const receivers = ['sandbox', 'first-day'].map(async (name) => blocksIn(await guide(name), 'js'));
  const [own, other] = await Promise.all(receivers);
  expect(own).toEqual(other);
});

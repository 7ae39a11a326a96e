import { expect } from 'vitest';
import { playDemo } from '../processes/demo-fixture.ts';
import { blocksIn, guide } from './guide-steps.ts';
import { guideTest } from './guide-fixture.ts';
import { testPrograms } from './guide-programs.ts';
import { expectToPass } from './http-file.ts';
import { hasShell, pasteCommands } from './run-steps.ts';

/** docs/sandbox.md, docs/http/sandbox.http and the demo, in a sandbox. */

const test = guideTest.extend('environment', { scope: 'file' }, 'Sandbox');

test.skipIf(!hasShell)(
  'the commands of docs/sandbox.md have the answers that it shows, also when pasted again',
  async ({ filled, folder }) => {
    const { objections, answers } = await pasteCommands('sandbox', { filled, folder });
    expect(objections).toEqual([]);
    expect(answers).toBeGreaterThan(0);
  },
);

// In a shell, the command line has a block of its own.
testPrograms(test, 'sandbox', 1);

test('docs/http/sandbox.http passes from the top to the end', async ({ apiUrl }) => {
  await expectToPass('sandbox.http', { baseUrl: apiUrl }, 60);
});

test('its receiver is that of the first day', async () => {
  const receivers = ['sandbox', 'first-day'].map(async (name) => blocksIn(await guide(name), 'js'));
  const [own, other] = await Promise.all(receivers);
  expect(own).toEqual(other);
});

test('the demo ends with a clock that decides the return that waits', async ({
  receiverOrigin,
  apiUrl,
}) => {
  const { result, text } = await playDemo({ receiverOrigin, apiUrl });
  expect(result.clockWorkflowUrl).toMatch(/\/workflows\/clock-advance%2F[\da-f-]{36}$/);
  expect(text).toMatch(/\d\dZ vendor\.return\.inspection-closing\n.*Z vendor\.return\.decided$/);
});

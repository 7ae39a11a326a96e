import { expect } from 'vitest';
import { demoTest, playDemo } from './demo-fixture.ts';

const test = demoTest.extend('environment', { scope: 'file' }, 'Sandbox');

test('in a sandbox the demo ends with a clock that decides the return that waits', async ({
  receiverOrigin,
  apiUrl,
}) => {
  const { result, text } = await playDemo({ receiverOrigin, apiUrl });
  expect(result.clockWorkflowUrl).toMatch(/\/workflows\/clock-advance%2F[\da-f-]{36}$/);
  expect(text).toMatch(/\d\dZ vendor\.return\.inspection-closing\n.*Z vendor\.return\.decided$/);
});

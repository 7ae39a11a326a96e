import { expect } from 'vitest';
import { guideFile, guidesIn, vendorGuides } from '../../../api/reference/pages/guide-list.ts';
import { startReceiver } from '../../../scripts/demo/receiver.ts';
import { runDemo } from '../../../scripts/demo/run-demo.ts';
import { operator } from '../processes/callers.ts';
import { blocksIn, guide } from './guide-steps.ts';
import { guideTest } from './guide-fixture.ts';
import { testPrograms } from './guide-programs.ts';
import { expectToPass } from './http-file.ts';
import { expectToPrint, hasShell } from './run-steps.ts';

/** The guides for vendors, docs/http/sandbox.http and the demo, in a sandbox. */

const test = guideTest.extend('environment', { scope: 'file' }, 'Sandbox');

/** The guides for vendors whose commands a sandbox shows in a form of its own. */
const names = guidesIn(vendorGuides, 'Sandbox')
  .map(([name]) => name)
  .filter((name) => guideFile(name).startsWith('docs/') && name !== 'generated-clients')
  .filter((name) => blocksIn(guide(name, 'Sandbox'), 'sh').length > 0);

test.skipIf(!hasShell).for(names)(
  'prints in a sandbox for the commands of docs/%s.md what the page shows, also when pasted again',
  (name, { filled, folder }) => expectToPrint(name, { filled, folder }),
);

// In a shell, the command line has a block of its own.
testPrograms(test, 'sandbox', 1);

test('runs docs/http/sandbox.http from the top to the end', async ({ apiUrl }) => {
  await expectToPass('sandbox.http', { baseUrl: apiUrl }, 60);
});

test('has the same receiver in docs/sandbox.md as in docs/first-day.md', () => {
  const [own, other] = [guide('sandbox', 'Sandbox'), guide('first-day')].map((page) =>
    blocksIn(page, 'js'),
  );
  expect(own).toEqual(other);
});

const runOf = (kind: string): unknown =>
  expect.stringMatching(new RegExp(`/namespaces/default/workflows/${kind}%2F[\\da-f-]{36}$`));

test('runs the demo from a token to a return that the clock decides, and prints no secret', async ({
  receiverOrigin,
  apiUrl,
  onTestFinished,
}) => {
  const receiver = await startReceiver(receiverOrigin);
  onTestFinished(receiver.close);
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const receiverUrl = `${receiverOrigin}/hook`;
  const options = { apiUrl, operator, receiver, receiverUrl, print, suffix: 'e2e' };
  const result = await runDemo({ ...options, needsSandbox: true });
  expect(result).toMatchObject({
    offerWorkflowUrl: runOf('offer-review'),
    deliveryWorkflowUrl: runOf('webhook-delivery'),
    retriedDeliveryUrl: runOf('webhook-delivery'),
    jobWorkflowUrl: runOf('bulk-job'),
    clockWorkflowUrl: runOf('clock-advance'),
  });
  expect(result.retriedDeliveryUrl).not.toBe(result.deliveryWorkflowUrl);
  const text = lines.join('\n');
  expect(text).toContain('signature verified');
  expect(text).toMatch(/\d\dZ vendor\.return\.inspection-closing\n.*Z vendor\.return\.decided$/);
  // What the demo prints may be pasted into a ticket.
  expect(text).not.toMatch(/whsec_|vs_[\w-]{20}|eyJ/);
});

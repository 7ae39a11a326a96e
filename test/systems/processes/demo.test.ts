import { expect } from 'vitest';
import { startReceiver } from '../../../scripts/demo/receiver.ts';
import { runDemo } from '../../../scripts/demo/run-demo.ts';
import { demoTest, operator } from './demo-fixture.ts';

const test = demoTest.extend(
  'receiverServer',
  { scope: 'file' },
  async ({ receiverOrigin }, { onCleanup }) => {
    const server = await startReceiver(receiverOrigin);
    onCleanup(() => server.close());
    return server;
  },
);

test('an offer goes from a vendor’s token by a reviewer’s decision to a signed webhook', async ({
  receiverOrigin,
  receiverServer,
  apiUrl,
}) => {
  const lines: string[] = [];
  const result = await runDemo({
    apiUrl,
    operator,
    receiver: receiverServer,
    receiverUrl: `${receiverOrigin}/hook`,
    print: (line) => lines.push(line),
    run: 'e2e',
  });

  expect(result.offerWorkflowUrl).toMatch(
    /\/namespaces\/default\/workflows\/offer-review%2F[\da-f-]{36}$/,
  );
  expect(result.deliveryWorkflowUrl).toMatch(/\/workflows\/webhook-delivery%2F[\da-f-]{36}$/);
  expect(result.retriedDeliveryUrl).toMatch(/\/workflows\/webhook-delivery%2F[\da-f-]{36}$/);
  expect(result.retriedDeliveryUrl).not.toBe(result.deliveryWorkflowUrl);
  expect(result.jobWorkflowUrl).toMatch(/\/workflows\/bulk-job%2F[\da-f-]{36}$/);
  expect(lines.join('\n')).toContain('signature verified');
  // What the demo prints may be pasted into a ticket.
  expect(lines.join('\n')).not.toMatch(/whsec_|vs_[\w-]{20}|eyJ/);
});

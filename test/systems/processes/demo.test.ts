import { expect } from 'vitest';
import { demoTest, playDemo } from './demo-fixture.ts';

demoTest(
  'an offer goes from a vendor’s token by a reviewer’s decision to a signed webhook',
  async ({ receiverOrigin, apiUrl }) => {
    const { result, text } = await playDemo({ receiverOrigin, apiUrl });
    expect(result.offerWorkflowUrl).toMatch(
      /\/namespaces\/default\/workflows\/offer-review%2F[\da-f-]{36}$/,
    );
    expect(result.deliveryWorkflowUrl).toMatch(/\/workflows\/webhook-delivery%2F[\da-f-]{36}$/);
    expect(result.retriedDeliveryUrl).toMatch(/\/workflows\/webhook-delivery%2F[\da-f-]{36}$/);
    expect(result.retriedDeliveryUrl).not.toBe(result.deliveryWorkflowUrl);
    expect(result.jobWorkflowUrl).toMatch(/\/workflows\/bulk-job%2F[\da-f-]{36}$/);
    expect(result.clockWorkflowUrl).toBeNull();
    expect(text).toContain('signature verified');
    // What the demo prints may be pasted into a ticket.
    expect(text).not.toMatch(/whsec_|vs_[\w-]{20}|eyJ/);
  },
);

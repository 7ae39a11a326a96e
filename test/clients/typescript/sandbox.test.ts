import { expect } from 'vitest';
import { registerSandboxVendor } from '../../../clients/typescript/src/resources/sandbox.ts';
import { createVendorClient } from '../../../clients/typescript/src/client.ts';
import { clientTest, collect } from './client-fixture.ts';

// `test/systems/cli/sandbox.test.ts` has what each method of `vendor.sandbox` calls, and
// docs/http/sandbox.http the responses to these calls.

const test = clientTest.extend('overrides', { scope: 'file' }, { environment: 'Sandbox' });

test('registers a vendor that changes its agreement and lists its sandbox credential', async ({
  clients: { baseUrl },
}) => {
  const { credential } = await registerSandboxVendor(
    { baseUrl },
    { name: 'Amber House', pricingModel: 'CostPlusMargin' },
  );
  const { clientId, clientSecret } = credential;
  const vendor = createVendorClient({ baseUrl, clientId, clientSecret, environment: 'Sandbox' });
  const agreement = { pricingModel: 'PercentageOfSale', commissionPercent: 15 } as const;
  expect(await vendor.sandbox.changeAgreement(agreement)).toMatchObject({
    pricingModel: { model: 2 },
  });
  expect(await collect(vendor.credentials.list())).toMatchObject([{ environment: 'Sandbox' }]);
});

/** The response of the clock. */
const clock = (state: string, now: string, stopReason: string | null = null): Response => {
  const payload = { state, now, target: '2026-11-29T09:00:00Z', stopReason };
  return Response.json({ state: 'SUCCESS', payload, details: {} });
};

test.for([
  ['FailingReceivers', '2026-11-29T08:00:00Z', /^The clock stopped at .*: FailingReceivers\.$/],
  // A reset ends an advance.
  [null, '2026-11-29T08:00:00Z', /it was reset/],
  [null, '2026-11-29T09:00:01Z', null],
] as const)('waits for an advance that ends with %s at %s', async (ending, { clients }) => {
  const [stopReason, now, error] = ending;
  const responses = [
    clock('Advancing', '2026-11-26T09:00:00Z'),
    clock('Advancing', '2026-11-27T09:00:00Z'),
    clock('Ready', now, stopReason),
  ];
  const { client } = clients.connect((request) =>
    request.url.endsWith('/sandbox/clock') ? responses.shift() : undefined,
  );
  const seen: string[] = [];
  const onProgress = (read: { readonly now: string }) => void seen.push(read.now);
  const advance = client.sandbox.advanceAndWait({ advanceBy: 'PT72H' }, { onProgress });
  const expected = { clock: { now, stopReason }, message: expect.stringMatching(error ?? '') };
  await (error === null
    ? expect(advance).resolves.toMatchObject({ now })
    : expect(advance).rejects.toMatchObject({ name: 'AdvanceStoppedError', ...expected }));
  expect(seen).toHaveLength(2);
});

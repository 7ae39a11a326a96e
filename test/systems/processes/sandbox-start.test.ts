import { expect, inject, vi } from 'vitest';
import {
  createVendorClient,
  registerSandboxVendor,
} from '../../../clients/typescript/src/index.ts';
import { startTest as test, stop } from './start-fixture.ts';

/** `npm run sandbox` as an integrator meets it: the real command, in a folder of its own. */

const hourMs = 3_600_000;

test('keeps the clock at a second start of a sandbox, and continues an interrupted advance', async ({
  starts,
}) => {
  const bundle = { WORKFLOW_BUNDLE: inject('workflowBundlePath') };
  const first = await starts.start(bundle, '--sandbox');
  expect(first.output()).toContain('Vendor Gateway sandbox is ready');
  const { credential } = await registerSandboxVendor(
    { baseUrl: first.info.apiUrl },
    { name: 'Amber House', pricingModel: 'CostPlusMargin' },
  );
  const vendorAt = (baseUrl: string) =>
    createVendorClient({ baseUrl, ...credential, environment: 'Sandbox' });
  const vendor = vendorAt(first.info.apiUrl);
  const offer = await vendor.offers.create({
    rawBrandName: 'Maison Dahab',
    rawProductName: 'Oud 50',
    cost: 90,
    costIsVatInclusive: false,
  });
  await vendor.sandbox.approveOffer(offer.id);
  const { groupId } = await vendor.sandbox.order();
  await vendor.orders.ship(groupId);
  const { id } = await vendor.sandbox.return({ groupId });
  await vendor.returns.confirmReceipt(id);
  const { state, target } = await vendor.sandbox.advance({ advanceBy: 'P30D' });
  expect(state).toBe('Advancing');
  // The first of three stops is behind it.
  await vi.waitFor(
    async () => {
      const { now } = await vendor.sandbox.clock();
      expect(Date.parse(now)).toBeGreaterThan(Date.now() + 23 * hourMs);
    },
    { timeout: 30_000, interval: 20 },
  );
  await stop(first.child, 'SIGINT');

  const second = await starts.start(bundle, '--sandbox');
  const later = vendorAt(second.info.apiUrl);
  const clock = await vi.waitFor(
    async () => {
      const read = await later.sandbox.clock();
      expect(read.state).toBe('Ready');
      return read;
    },
    { timeout: 60_000, interval: 100 },
  );
  expect(clock).toMatchObject({ target, stopReason: null });
  expect(clock.now >= target).toBe(true);
  expect((await later.returns.get(id)).status).toBe('InspectionAccepted');
});

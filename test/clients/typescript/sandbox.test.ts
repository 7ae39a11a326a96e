import { expect } from 'vitest';
import { registerSandboxVendor } from '../../../clients/typescript/src/resources/sandbox.ts';
import { createVendorClient } from '../../../clients/typescript/src/client.ts';
import { freeFormOffer } from '../../support/api/actors.ts';
import { clientTest } from './client-fixture.ts';

// `vendor.sandbox`: what the vendor does there as the marketplace.

const test = clientTest.extend('overrides', { scope: 'file' }, { environment: 'Sandbox' });

test('a registered vendor plays an offer, an order and a return to their ends', async ({
  clients: { baseUrl },
}) => {
  const { credential } = await registerSandboxVendor(
    { baseUrl },
    { name: 'Amber House', pricingModel: 'CostPlusMargin' },
  );
  const { clientId, clientSecret } = credential;
  const vendor = createVendorClient({ baseUrl, clientId, clientSecret, environment: 'Sandbox' });
  const { sandbox } = vendor;
  const { id } = await vendor.offers.create(freeFormOffer);
  expect(await sandbox.approveOffer(id)).toMatchObject({ status: 'Approved' });
  expect(await sandbox.suspendOffer(id, 'Recalled.')).toMatchObject({ status: 'Suspended' });
  expect(await sandbox.reinstateOffer(id)).toMatchObject({ status: 'Approved' });
  for (const settle of [sandbox.discardPendingPrice, sandbox.applyPendingPrice]) {
    await vendor.offers.pushCost(id, { cost: 120, costIsVatInclusive: false });
    expect(await settle(id)).toMatchObject({ cost: { pending: null } });
  }
  const cancelled = await sandbox.order({ lines: [{ offerId: id, quantity: 2 }] });
  expect(await sandbox.cancel(cancelled.groupId)).toMatchObject({ status: 'Cancelled' });
  const { groupId } = await sandbox.order();
  await vendor.orders.ship(groupId);
  expect(await sandbox.deliver(groupId)).toMatchObject({ status: 'Delivered' });
  const returned = await sandbox.return({ groupId, upTo: 'Pending' });
  for (const [move, status] of [
    [sandbox.approveReturn, 'Approved'],
    [sandbox.markInTransit, 'InTransit'],
    [vendor.returns.confirmReceipt, 'Received'],
    [sandbox.startInspection, 'UnderInspection'],
  ] as const)
    expect(await move(returned.id)).toMatchObject({ status });
  const decided = await sandbox.decide(returned.id, { outcome: 'Rejected' });
  expect(decided).toMatchObject({ status: 'InspectionRejected' });
  expect(await sandbox.closeReturn(returned.id)).toMatchObject({ status: 'Closed' });

  const other = await vendor.offers.create(freeFormOffer);
  expect(await sandbox.rejectOffer(other.id, 'No photo.')).toMatchObject({ status: 'Rejected' });
  const agreement = { pricingModel: 'PercentageOfSale', commissionPercent: 15 } as const;
  expect(await sandbox.changeAgreement(agreement)).toMatchObject({ pricingModel: { model: 2 } });
  await sandbox.reset();
  const left: unknown[] = [];
  for await (const offer of vendor.offers.list()) left.push(offer);
  expect(left).toEqual([]);
  for await (const listed of vendor.credentials.list()) left.push(listed);
  expect(left).toMatchObject([{ environment: 'Sandbox' }]);
});

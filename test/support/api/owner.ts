import type { TestVendor } from './actors.ts';
import { runToEnd, startJob } from '../../api/jobs/job-fixture.ts';
import { newOfferFixture } from '../../api/offers/offer-fixture.ts';
import { firstOf, newOrderFixture } from '../../api/orders/order-fixture.ts';
import { newReturnFixture } from '../../api/returns/return-fixture.ts';
import { call, succeeded, textOf, type Gateway } from './api.ts';
import { delivered, subscriptionIdOf } from '../../api/webhooks/webhook-fixture.ts';

/**
 * A vendor with something of every kind that a path's id can name, each where a move of it could be
 * made.
 */
export async function newOwner(gateway: Gateway, sibling: TestVendor) {
  const offers = await newOfferFixture(gateway);
  const { vendor } = offers;
  const orders = await newOrderFixture(gateway);
  const made = await call(gateway, 'POST', '/api/v1/webhooks', {
    token: vendor.token,
    body: { url: 'https://owner.example.org/', eventTypes: ['vendor.order.assigned'] },
  });
  const subscriptionId = subscriptionIdOf(made);
  succeeded(
    await call(gateway, 'PATCH', '/api/v1/vendor/profile', {
      token: vendor.token,
      body: { name: 'An owned name', contactEmail: 'post@owner.example.org' },
    }),
  );
  // The walk puts one id into every parameter of a path: the attempt has its subscription's.
  const { attemptId } = await delivered(gateway.sql, vendor.vendorId, subscriptionId, 'succeeded');
  await gateway.sql`update webhook_attempts set id = ${subscriptionId} where id = ${attemptId}`;
  const takeShared = () =>
    orders.take(
      { vendorId: vendor.vendorId },
      { vendorId: sibling.vendorId },
      { vendorId: null },
      { sourcing: true },
    );
  const [pending, packed] = [await takeShared(), await takeShared()];
  const [, , services, waiting] = pending.groups;
  const groupIds = [firstOf(pending.groups).groupId, firstOf(packed.groups).groupId];
  succeeded(await orders.send(vendor, 'PATCH', `/${groupIds[0]}`, { vendorOrderId: 'owned' }));
  succeeded(await orders.send(vendor, 'POST', `/${groupIds[1]}/pack`));
  const returns = await newReturnFixture(gateway, vendor);
  const inspected = await returns.returnIn('UnderInspection', { order: await takeShared() });
  succeeded(await returns.addEvidence(inspected, 'Photo', 'https://owner.example.org/photo.jpg'));
  const declared = { vendorSku: 'owned', vendorExternalId: 'owned' };
  return {
    vendor,
    subscriptionId,
    /** One that has ended, and one that waits. */
    jobIds: await jobsOf(gateway, vendor),
    /** The one that she calls with, and one that is switched off. */
    credentialIds: [vendor.credentialId, await switchedOff(gateway, vendor)],
    /** One that sells, and one that is still a draft: each has moves that the other has not. */
    offerIds: [await offers.offerIn('Approved', { declared }), await offers.offerIn('Draft')],
    /** One to be packed, and one that is packed; both share their order with a sibling's group. */
    groupIds,
    /** One that is on its way, and one under inspection with a photo. */
    returnIds: [await returns.returnIn('InTransit', { order: await takeShared() }), inspected],
    /** Of no vendor: the service's own group, and one that waits for a source. */
    hiddenGroupIds: [services?.groupId ?? '', waiting?.groupId ?? ''],
    /** Of no vendor: a return of the owner's things to a sorting point. */
    hiddenReturnId: await returns.returnIn('InTransit', {
      destination: 'SortingPoint',
      order: await takeShared(),
    }),
  };
}
export type Owner = Awaited<ReturnType<typeof newOwner>>;

async function jobsOf(gateway: Gateway, vendor: TestVendor): Promise<readonly string[]> {
  const { id } = await runToEnd(gateway, vendor, 'updateOffers', [
    { vendorExternalId: 'owned', vendorSku: 'owned' },
  ]);
  return [id, await startJob(gateway, vendor, 'updateOffers', [{ vendorExternalId: 'owned' }])];
}

/** A credential that was generated and switched off; returns its id. */
async function switchedOff(gateway: Gateway, { token }: TestVendor): Promise<string> {
  const url = '/api/v1/credentials';
  const body = { capabilities: 'Stock' };
  const headers = { 'x-service-environment': gateway.dependencies.environment };
  const id = textOf(succeeded(await call(gateway, 'POST', url, { token, body, headers })), 'id');
  succeeded(
    await call(gateway, 'PATCH', `${url}/${id}/active`, { token, body: { isActive: false } }),
  );
  return id;
}

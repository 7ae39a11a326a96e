import type { TestVendor } from './actors.ts';
import { runToEnd, startJob } from '../../api/jobs/job-fixture.ts';
import { newOfferFixture } from '../../api/offers/offer-fixture.ts';
import {
  firstOf,
  newOrderFixture,
  succeeded,
  type OrderFixture,
  type TakenOrder,
} from '../../api/orders/order-fixture.ts';
import { call, textOf, type Gateway } from './api.ts';
import { delivered } from '../../api/webhooks/webhook-fixture.ts';

/**
 * A vendor with something of every kind that a path's id can name, each where a move of it could be
 * made.
 */
export type Owner = {
  readonly vendor: TestVendor;
  readonly subscriptionId: string;
  /** One that has ended, and one that waits. */
  readonly jobIds: readonly string[];
  /** The one that she calls with, and one that is switched off. */
  readonly credentialIds: readonly string[];
  /** One that sells, and one that is still a draft: each has moves that the other has not. */
  readonly offerIds: readonly string[];
  /**
   * One that is still to be packed, and one that is packed; both share their order with a sibling's
   * group.
   */
  readonly groupIds: readonly string[];
  /** One that is on its way, and one under inspection with a photo. */
  readonly returnIds: readonly string[];
  /**
   * What no vendor reaches: the service's own group, and one that waits for a source, in an order
   * of the owner's.
   */
  readonly hiddenGroupIds: readonly string[];
  /** What no vendor reaches: a return of the owner's things to a sorting point. */
  readonly hiddenReturnId: string;
};

export async function newOwner(gateway: Gateway, sibling: TestVendor): Promise<Owner> {
  const offers = await newOfferFixture(gateway);
  const { vendor } = offers;
  const orders = await newOrderFixture(gateway);
  const made = await call(gateway, 'POST', '/api/v1/webhooks', {
    token: vendor.token,
    body: { url: 'https://owner.example.org/', eventTypes: ['vendor.order.assigned'] },
  });
  const { id: subscriptionId } = (made.payload as { subscription: { id: string } }).subscription;
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
  return {
    vendor,
    subscriptionId,
    jobIds: await jobsOf(gateway, vendor),
    credentialIds: [vendor.credentialId, await switchedOff(gateway, vendor)],
    offerIds: [
      await offers.offerIn('Approved', {
        declared: { vendorSku: 'owned', vendorExternalId: 'owned' },
      }),
      await offers.offerIn('Draft'),
    ],
    groupIds,
    returnIds: [
      await returnInTransit(orders, await takeShared(), 'Supplier'),
      await inspect(
        gateway,
        vendor,
        orders,
        await returnInTransit(orders, await takeShared(), 'Supplier'),
      ),
    ],
    hiddenGroupIds: [services?.groupId ?? '', waiting?.groupId ?? ''],
    hiddenReturnId: await returnInTransit(orders, await takeShared(), 'SortingPoint'),
  };
}

async function jobsOf(gateway: Gateway, vendor: TestVendor): Promise<readonly string[]> {
  const { id } = await runToEnd(gateway, vendor, 'updateOffers', [
    { vendorExternalId: 'owned', vendorSku: 'owned' },
  ]);
  return [id, await startJob(gateway, vendor, 'updateOffers', [{ vendorExternalId: 'owned' }])];
}

/** A credential that was generated and switched off; answers its id. */
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

/** A return of an order's first group that is on its way; answers its id. */
async function returnInTransit(
  { operate }: OrderFixture,
  { orderGlobalId, groups }: TakenOrder,
  destination: 'Supplier' | 'SortingPoint',
): Promise<string> {
  const { lineId } = firstOf(firstOf(groups).lines);
  const lines = [{ lineId, quantity: 1, reasonCode: 'Defective' }];
  const made = succeeded(await operate('POST', '/returns', { orderGlobalId, destination, lines }));
  const id = textOf(made, 'id');
  for (const move of ['approve', 'in-transit']) {
    succeeded(await operate('POST', `/returns/${id}/${move}`, {}));
  }
  return id;
}

/** Brings a return from its way to the inspection, with a photo. */
async function inspect(
  gateway: Gateway,
  { token }: TestVendor,
  { operate }: OrderFixture,
  id: string,
): Promise<string> {
  const url = `/api/v1/scent/returns/${id}`;
  succeeded(await call(gateway, 'PATCH', `${url}/received`, { token }));
  const photo = { url: 'https://owner.example.org/photo.jpg', kind: 'Photo' };
  succeeded(await call(gateway, 'POST', `${url}/evidence`, { token, body: photo }));
  succeeded(await operate('POST', `/returns/${id}/start-inspection`, {}));
  return id;
}

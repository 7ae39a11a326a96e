import * as v from 'valibot';
import { addVariant, addVendor, issueCredential, withId } from '../../demo/api-calls.ts';
import { waitFor, type ApiClient } from '../../demo/api-client.ts';
import type { Clients, VendorContext } from './clients.ts';
import { createOffers } from './offer-fixtures.ts';
import { createOrders } from './order-fixtures.ts';
import { createReturns } from './return-fixtures.ts';

export type Fixtures = Awaited<ReturnType<typeof createFixtures>>;

/** How many there are of each thing that calls use up. */
const copies = 6;
const page = v.object({ items: v.array(withId) });
const costPlus = { pricingModel: 'CostPlusMargin', markupPercent: 25 } as const;
const percentage = { pricingModel: 'PercentageOfSale', commissionPercent: 10 } as const;

/**
 * Creates something in every state for two vendors, so that generated calls find it. `own` has
 * Model 1 and `another` has Model 2 in the end. Each has offers, fulfilment groups, returns, and two
 * subscriptions: deliveries of one succeed, those of the other fail.
 */
export async function createFixtures(clients: Clients, receiver: string, name: string) {
  const { operator } = clients;
  const variantId = await addVariant(operator, name);
  const spareVariantId = await addVariant(operator, `${name} spare`);
  const own = await clients.addVendor(`${name} own`, variantId, percentage);
  const another = await clients.addVendor(`${name} another`, variantId, costPlus);
  const spareVendorId = await addVendor(operator, `${name} spare`, costPlus);
  const subscriptions = await subscribe(own, receiver);
  await subscribe(another, receiver);
  const orders = await createOrders(own, copies);
  const othersOrders = await createOrders(another, 1);
  const offers = await createOffers(own, {
    from: 'PercentageOfSale',
    to: 'CostPlusMargin',
    copies,
  });
  const othersOffers = await createOffers(another, {
    from: 'CostPlusMargin',
    to: 'PercentageOfSale',
    copies,
  });
  const credential = await issueCredential(operator, own.vendorId);
  return {
    own: own.vendorId,
    another: another.vendorId,
    spareVendorId,
    variantId,
    spareVariantId,
    subscriptions,
    orders,
    offers,
    othersOffers,
    othersGroups: othersOrders.groups,
    returns: await createReturns(own, orders.delivered),
    othersReturns: await createReturns(another, othersOrders.delivered),
    credentials: [credential.id],
    deliveries: await readDeadLetters(operator, own.vendorId),
    attempts: await readIds(own.vendor, `/api/v1/webhooks/${subscriptions[1] ?? ''}/deliveries?`),
  };
}

async function subscribe({ vendor }: VendorContext, receiver: string): Promise<readonly string[]> {
  const eventTypes = ['vendor.offer.review-decision', 'vendor.order.assigned'];
  const schema = v.object({ subscription: withId });
  const ids: string[] = [];
  for (const url of [`${receiver}/hook`, `${receiver}/fails`]) {
    const options = { body: { url, eventTypes }, status: 201 };
    ids.push((await vendor.expect('POST /api/v1/webhooks', schema, options)).subscription.id);
  }
  return ids;
}

async function readIds(client: ApiClient, path: string): Promise<readonly string[]> {
  return (await client.expect(`GET ${path}pageSize=100`, page)).items.map(({ id }) => id);
}

/** A delivery that its receiver refuses becomes a dead letter after its last attempt. */
const readDeadLetters = (operator: ApiClient, vendorId: string): Promise<readonly string[]> =>
  waitFor(
    () =>
      readIds(operator, `/operator/v1/webhook-deliveries?state=deadLettered&vendorId=${vendorId}&`),
    (ids) => ids.length > 0,
  );

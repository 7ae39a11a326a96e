import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { payloadOf } from '../demo/caller.ts';
import { withId } from '../demo/forms.ts';
import type { Call } from '../demo/stage.ts';
import { subscription } from '../demo/webhook-forms.ts';
import type { Actors } from './actors.ts';
import { makeOffers } from './world-offers.ts';
import { makeOrders } from './world-orders.ts';
import { makeReturns } from './world-returns.ts';

/** A vendor, and what its part of the world is made with. */
export type VendorStage = {
  readonly vendorId: string;
  readonly asVendor: Call;
  readonly asOperator: Call;
  readonly variantId: string;
};

export type World = Awaited<ReturnType<typeof makeWorld>>;

/** Of each thing that calls use up. */
const copies = 6;
const deliveredMs = 60_000;
const ids = v.object({ items: v.array(withId) });
const costPlus = { pricingModel: 'CostPlusMargin', markupPercent: 25 } as const;
const percentage = { pricingModel: 'PercentageOfSale', commissionPercent: 10 } as const;

/**
 * Something in every state for generated calls to find, of two vendors: `own` comes to Model 1 and `another` to Model 2. Each has
 * offers, shipments, returns, and subscriptions of which one succeeds and one fails.
 */
export async function makeWorld(actors: Actors, receiver: string, name: string) {
  const variantId = await addVariant(actors.asOperator, name);
  const spareVariantId = await addVariant(actors.asOperator, `${name} spare`);
  const own = await addStage(actors, `${name} own`, variantId, percentage);
  const another = await addStage(actors, `${name} another`, variantId, costPlus);
  const spareVendorId = await actors.addVendor(`${name} spare`, costPlus);
  const subscriptions = await subscribe(own, receiver);
  await subscribe(another, receiver);
  const orders = await makeOrders(own, copies);
  const othersOrders = await makeOrders(another, 1);
  const offers = await makeOffers(own, { from: 'PercentageOfSale', to: 'CostPlusMargin', copies });
  const othersOffers = await makeOffers(another, {
    from: 'CostPlusMargin',
    to: 'PercentageOfSale',
    copies,
  });
  const credential = await actors.issueCredential(own.vendorId);
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
    returns: await makeReturns(own, orders.delivered),
    othersReturns: await makeReturns(another, othersOrders.delivered),
    credentials: [credential.id],
    deliveries: await deadLettersOf(actors.asOperator, own.vendorId),
    attempts: await attemptsOf(own, subscriptions[1] ?? ''),
  };
}

async function addStage(actors: Actors, name: string, variantId: string, agreement: object) {
  const vendorId = await actors.addVendor(name, agreement);
  const asVendor = actors.callAs(await actors.vendorToken(vendorId));
  return { vendorId, variantId, asVendor, asOperator: actors.asOperator } satisfies VendorStage;
}

async function addVariant(asOperator: Call, sku: string): Promise<string> {
  const variant = { sku, brandName: 'Maison', productName: 'Oud', barcode: '4006381333931' };
  return payloadOf(await asOperator('POST', '/operator/v1/variants', variant), 201, withId).id;
}

async function subscribe({ asVendor }: VendorStage, receiver: string): Promise<readonly string[]> {
  const eventTypes = ['vendor.offer.review-decision', 'vendor.order.assigned'];
  const form = v.object({ subscription });
  const answers = [`${receiver}/hook`, `${receiver}/fails`].map(async (url) =>
    payloadOf(await asVendor('POST', '/api/v1/webhooks', { url, eventTypes }), 201, form),
  );
  return (await Promise.all(answers)).map((answer) => answer.subscription.id);
}

/** What was refused by its receiver becomes a dead letter after its last attempt. */
async function deadLettersOf(asOperator: Call, vendorId: string): Promise<readonly string[]> {
  const path = `/operator/v1/webhook-deliveries?pageSize=100&state=deadLettered&vendorId=${vendorId}`;
  for (const deadline = Date.now() + deliveredMs; ;) {
    const { items } = payloadOf(await asOperator('GET', path), 200, ids);
    if (items.length > 0) return items.map(({ id }) => id);
    if (Date.now() > deadline) throw new Error('no delivery became a dead letter');
    await delay(100);
  }
}

async function attemptsOf({ asVendor }: VendorStage, id: string): Promise<readonly string[]> {
  const answer = await asVendor('GET', `/api/v1/webhooks/${id}/deliveries?pageSize=100`);
  return payloadOf(answer, 200, ids).items.map((attempt) => attempt.id);
}

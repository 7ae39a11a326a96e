import * as v from 'valibot';
import { addVariant, addVendor, issueCredential, withId } from '../../../scripts/demo/api-calls.ts';
import { waitFor, type ApiClient } from '../../../scripts/demo/api-client.ts';
import { costPlus, type Clients, type VendorContext } from './clients.ts';
import { createJobs } from './job-fixtures.ts';
import { createOffers, type Model } from './offer-fixtures.ts';
import { createOrders } from './order-fixtures.ts';
import { createReturns } from './return-fixtures.ts';

export type Fixtures = Awaited<ReturnType<typeof createFixtures>>;

/** How many there are of each thing that calls use up. */
const copies = 6;
const page = v.object({ items: v.array(withId) });
const operators = v.object({
  items: v.array(v.object({ id: v.string(), operatorId: v.string() })),
});
const percentage = { pricingModel: 'PercentageOfSale', commissionPercent: 10 } as const;

/**
 * Creates something in every state for two vendors, so that generated calls find it. `own` has
 * Model 1 and `another` has Model 2 in the end. Each has offers, fulfilment groups, returns, and
 * two subscriptions: deliveries of one succeed, deliveries of the other fail.
 */
export async function createFixtures(clients: Clients, receiver: string, name: string) {
  const { operator } = clients;
  const variantId = await addVariant(operator, name);
  const spareVariantId = await addVariant(operator, `${name} spare`);
  const [own, another] = await Promise.all([
    clients.addVendor(`${name} own`, variantId, percentage),
    clients.addVendor(`${name} another`, variantId, costPlus),
  ]);
  const spareVendorId = await addVendor(operator, `${name} spare`, costPlus);
  const operatorIds = await createOperators(clients, name);
  const populate = async (vendor: VendorContext, from: Model, to: Model, orderCopies: number) => {
    const subscriptions = await subscribe(vendor, receiver);
    const orders = await createOrders(vendor, orderCopies);
    const [offers, returns] = await Promise.all([
      createOffers(vendor, { from, to, copies }),
      createReturns(vendor, orders.delivered),
    ]);
    return { subscriptions, orders, offers, returns };
  };
  const [owns, others] = await Promise.all([
    populate(own, 'PercentageOfSale', 'CostPlusMargin', copies),
    populate(another, 'CostPlusMargin', 'PercentageOfSale', 1),
  ]);
  const loginCredential = await issueCredential(operator, own.vendorId);
  const switched = await issueCredential(operator, own.vendorId);
  return {
    own,
    another,
    spareVendorId,
    variantId,
    spareVariantId,
    ...operatorIds,
    ...owns,
    othersOffers: others.offers,
    othersGroups: others.orders.groups,
    othersReturns: others.returns,
    jobs: await createJobs(own, owns.offers.live),
    loginCredential,
    credentials: [switched.id],
    // Calls that recover a subscription know only the deliveries of `own`.
    deliveries: [
      ...(await readDeadLetters(operator, own.vendorId)),
      ...(await readDeadLetters(operator, another.vendorId)),
    ],
    attempts: await readIds(
      own.vendor,
      `/api/v1/webhooks/${owns.subscriptions[1] ?? ''}/deliveries?`,
    ),
  };
}

/** The ids of the operator that calls, and of a new one, which calls may switch. */
async function createOperators({ operator, operatorId }: Clients, name: string) {
  const { items } = await operator.expect('GET /operator/v1/operators?pageSize=100', operators);
  const ownOperator = items.find((item) => item.operatorId === operatorId)?.id ?? '';
  const body = { operatorId: `${name} spare`, role: 'Reviewer' };
  const options = { body, status: 201 };
  const spare = await operator.expect('POST /operator/v1/operators', withId, options);
  return { ownOperator, operators: [spare.id] };
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

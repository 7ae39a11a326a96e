import { randomUUID } from 'node:crypto';
import type { NewOffer, VendorClient } from 'vendor-gateway-client';
import type { CommonArguments, Context } from '../core/command.ts';
import { forEachConcurrently } from '../core/concurrent.ts';
import { startProgress } from '../core/progress.ts';

const offersCount = 20;
const ordersCount = 5;
const returnsCount = 2;
const names = ['Oud', 'Rose', 'Amber', 'Musk', 'Saffron'] as const;

const concurrency = 4;

/** The same twenty offers for every `seed`: a second one finds them. */
function seedOffers(pricingModel: string): readonly NewOffer[] {
  const field = pricingModel === 'PercentageOfSale' ? 'salePrice' : 'cost';
  return Array.from({ length: offersCount }, (_, index) => {
    const size = 50 + 25 * Math.floor(index / names.length);
    const offer = {
      vendorExternalId: `seed-${String(index + 1).padStart(2, '0')}`,
      rawBrandName: 'Amber House',
      rawProductName: `${names[index % names.length]} ${size}`,
      rawSizeMl: size,
      [field]: 90 + 10 * index,
      [`${field}IsVatInclusive`]: false,
      declaredInStock: true,
      declaredStockQuantity: 100,
    };
    return offer as unknown as NewOffer;
  });
}

type Work = { readonly client: VendorClient; readonly signal: AbortSignal };

/** Creates an offer and approves it, unless an earlier `seed` has. Returns its id. */
async function seedOffer(body: NewOffer, { client, signal }: Work): Promise<string> {
  const { id, status, existing } = await client.offers.create(body, { signal });
  const waits = !existing || status === 'PendingReview' || status === 'PendingMatch';
  if (waits) await client.sandbox.approveOffer(id, {}, { signal });
  return id;
}

/** Orders three of the offers; the shipments of the first orders are delivered. */
async function seedOrder(
  offerIds: readonly string[],
  isDelivered: boolean,
  { client, signal }: Work,
): Promise<string> {
  const lines = offerIds.map((offerId, index) => ({ offerId, quantity: index + 1 }));
  const { groupId } = await client.sandbox.order(
    { lines },
    { idempotencyKey: randomUUID(), signal },
  );
  if (isDelivered) {
    await client.orders.ship(groupId, { signal });
    await client.sandbox.deliver(groupId, { signal });
  }
  return groupId;
}

/** `sandbox seed`: approved offers, orders and returns to try a program with. */
export async function seedSandbox(
  _: CommonArguments,
  { output, signal, connect }: Context,
): Promise<void> {
  const { client } = await connect();
  const work = { client, signal };
  const { pricingModel } = await client.profile.get({ signal });
  const progress = startProgress(output, offersCount + ordersCount + returnsCount);
  const report = (kind: string, id: string): void => {
    progress.step();
    output.result({ kind, id }, null);
  };
  const offerIds: string[] = [];
  try {
    await forEachConcurrently(seedOffers(pricingModel.name), concurrency, async (body) => {
      const id = await seedOffer(body, work);
      offerIds.push(id);
      report('offer', id);
    });
    for (let index = 0; index < ordersCount; index += 1) {
      const isReturned = index < returnsCount;
      const ordered = offerIds.slice(3 * index, 3 * index + 3);
      const groupId = await seedOrder(ordered, isReturned, work);
      report('shipment', groupId);
      if (!isReturned) continue;
      const key = { idempotencyKey: randomUUID(), signal };
      const { id } = await client.sandbox.return({ groupId }, key);
      report('return', id);
    }
  } finally {
    progress.end();
  }
  const counts = { offers: offersCount, orders: ordersCount, returns: returnsCount };
  output.result(
    { summary: counts },
    `Seeded ${offersCount} approved offers, ${ordersCount} orders and ${returnsCount} returns.`,
  );
}

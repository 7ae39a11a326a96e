import { randomUUID } from 'node:crypto';
import { createSealer } from '../../security/sealer.ts';
import { newWebhookSecret } from '../../security/webhook-signature.ts';
import { insertSubscription } from '../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import { seedOperator, seedVariant, seedVendor } from '../../test/support/seeds/seed.ts';
import type { BenchmarkContext } from './benchmark.ts';
import type { Target } from './delivery/target.ts';
import { connectionsMax, createHttpClient } from './http-client.ts';

/** Orders of one group each, created over HTTP; each is one event to one subscription. */
export type EventSource = {
  /** How another client creates these orders. Its token is good for fifteen minutes. */
  readonly target: () => Target;
  readonly vendorIds: readonly string[];
  /** Creates so many orders over all connections, within fifteen minutes. */
  readonly postAll: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

const vendors = 50;

const shipTo = {
  recipient: 'Noura',
  line1: 'King Fahd Road 1',
  city: 'Riyadh',
  country: 'SA',
  phone: '+966500000000',
};

/** Vendors with a subscription each, and an operator who creates their orders. */
export async function createEventSource(
  { sql, api }: BenchmarkContext,
  { receiverUrl, secretsKey }: { readonly receiverUrl: string; readonly secretsKey: string },
): Promise<EventSource> {
  const sealer = createSealer(secretsKey);
  const vendorIds = await Promise.all(Array.from({ length: vendors }, () => seedVendor(sql)));
  for (const vendorId of vendorIds) {
    const id = randomUUID();
    const secretSealed = sealer.seal(newWebhookSecret(), id);
    const eventTypes = ['vendor.order.assigned'] as const;
    await sql.begin((transaction) =>
      insertSubscription(transaction, { id, vendorId, url: receiverUrl, eventTypes, secretSealed }),
    );
  }
  const variantId = await seedVariant(sql);
  const operator = await seedOperator(sql);
  const path = '/operator/v1/orders';
  const orders = vendorIds.map((vendorId) => {
    const lines = [{ variantId, quantity: 1 }];
    return { shipTo, groups: [{ vendorId, carrier: 'CarrierA', lines }] };
  });
  const http = createHttpClient(api.url);
  return {
    vendorIds,
    target: () => ({
      origin: api.url,
      path,
      headers: {
        authorization: `Bearer ${api.operatorToken(operator)}`,
        'content-type': 'application/json',
      },
      bodies: orders.map((order) => JSON.stringify(order)),
    }),
    postAll: async (count) => {
      const token = api.operatorToken(operator);
      let next = 0;
      const connection = async (): Promise<void> => {
        while (next < count) {
          const body = orders[next++ % vendors] ?? {};
          await http.request('POST', path, { body, token });
        }
      };
      await Promise.all(Array.from({ length: connectionsMax }, connection));
    },
    close: () => http.close(),
  };
}

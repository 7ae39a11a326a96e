import { randomUUID } from 'node:crypto';
import { createSealer } from '../../security/sealer.ts';
import { newWebhookSecret } from '../../security/webhook-signature.ts';
import { insertSubscription } from '../../db/webhooks/webhook-subscriptions.ts';
import { seedOperator, seedVariant, seedVendor } from '../../test/support/seed.ts';
import type { BenchmarkContext } from './benchmark.ts';
import { connectionsMax, createHttpClient } from './http-client.ts';

/** Where events come from: orders of one group each, taken in over HTTP, each of which is one event to one subscription. */
export type EventSource = {
  /** One order. */
  readonly post: (number: number) => Promise<void>;
  /** So many orders, over all connections. */
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
  // Good for fifteen minutes, and remembered once it was verified, as that of any client.
  const token = api.operatorToken(await seedOperator(sql));
  const http = createHttpClient(api.url);
  const post = async (number: number): Promise<void> => {
    const vendorId = vendorIds[number % vendors];
    const groups = [{ vendorId, carrier: 'CarrierA', lines: [{ variantId, quantity: 1 }] }];
    await http.request('POST', '/operator/v1/orders', { body: { shipTo, groups }, token });
  };
  return {
    post,
    postAll: async (count) => {
      let next = 0;
      const connection = async (): Promise<void> => {
        while (next < count) await post(next++);
      };
      await Promise.all(Array.from({ length: connectionsMax }, connection));
    },
    close: () => http.close(),
  };
}

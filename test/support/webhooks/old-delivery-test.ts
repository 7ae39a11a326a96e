import { addSubscription, addVendor } from '../../db/support.ts';
import { databaseTest } from '../database/database-test.ts';
import { seedOldDelivery, type OldDelivery } from './old-deliveries.ts';

/**
 * Gives each test empty tables of webhooks, a vendor's subscription, and `seed`, which makes a
 * delivery of it.
 */
export const oldDeliveryTest = (usual: Pick<OldDelivery, 'at' | 'state'>) =>
  databaseTest
    .extend('emptied', { auto: true }, async ({ sql }) => {
      await sql`truncate webhook_subscriptions, webhook_deliveries, webhook_attempts,
        webhook_answers, webhook_events, webhook_delivery_batches, attempt_counts,
        delivery_counts, outbox`;
    })
    .extend('vendorId', ({ sql }) => addVendor(sql))
    .extend('subscriptionId', ({ sql, vendorId }) => addSubscription(sql, vendorId))
    .extend(
      'seed',
      ({ sql, vendorId, subscriptionId }) =>
        (given: Partial<OldDelivery> = {}) =>
          seedOldDelivery(sql, { vendorId, subscriptionId, ...usual, ...given }),
    );

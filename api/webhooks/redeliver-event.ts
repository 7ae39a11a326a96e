import type { Queryable } from '../../db/core/client.ts';
import { lockDelivery, redeliver, type LockedDelivery } from '../../db/webhooks/redelivery.ts';
import { findDelivery, type WebhookDelivery } from '../../db/webhooks/webhook-deliveries.ts';
import { apiError, orNotFound } from '../http/api-error.ts';

/** Refuses deliveries that are due, of inactive subscriptions, and of samples. */
function requireRedeliverable({ isTest, isActive, state, waitsForLater }: LockedDelivery): void {
  const reason = isTest
    ? 'TEST'
    : !isActive
      ? 'SUBSCRIPTION_INACTIVE'
      : state === 'waiting' && !waitsForLater
        ? 'WAITING'
        : null;
  if (reason !== null)
    throw apiError('BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE', { reason });
}

/**
 * Puts a delivery on a fresh schedule, or makes a waiting one due now, in the caller's transaction,
 * and returns it. Fails with NOT_FOUND_VENDOR_WEBHOOK_DELIVERY or
 * BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE. `onLocked` gets the delivery before its state
 * is checked, and may throw.
 */
export async function redeliverEvent(
  transaction: Queryable,
  which: Parameters<typeof lockDelivery>[1],
  onLocked: (locked: LockedDelivery) => Promise<void> | void,
): Promise<WebhookDelivery> {
  const locked = orNotFound(
    await lockDelivery(transaction, which),
    'NOT_FOUND_VENDOR_WEBHOOK_DELIVERY',
  );
  await onLocked(locked);
  requireRedeliverable(locked);
  await redeliver(transaction, locked);
  const delivery = await findDelivery(transaction, locked.id);
  if (delivery === null) throw new Error('a locked delivery does not exist');
  return delivery;
}

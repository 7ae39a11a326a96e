import type { LockedDelivery } from '../../db/webhooks/redelivery.ts';
import { apiError } from '../http/api-error.ts';

/** Nothing is redelivered that is still due, that nobody takes, or that was a sample (D64). */
export function requireRedeliverable({ isTest, isActive, state }: LockedDelivery): void {
  const reason = isTest
    ? 'TEST'
    : !isActive
      ? 'SUBSCRIPTION_INACTIVE'
      : state === 'waiting'
        ? 'WAITING'
        : null;
  if (reason !== null)
    throw apiError('BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE', { reason });
}

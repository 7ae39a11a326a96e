import { randomUUID } from 'node:crypto';
import { businessNow } from '../../db/core/clock.ts';
import {
  findLatestAttempt,
  type DeliveryAttempt,
} from '../../db/webhooks/attempts/attempt-list.ts';
import { newEvent } from '../../db/webhooks/webhook-events.ts';
import { cancelSample, insertSample } from '../../db/webhooks/webhook-samples.ts';
import { lockSubscription } from '../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import type { EventType } from '../../domain/webhooks/events.ts';
import { sampleData } from '../../domain/webhooks/webhook-sample.ts';
import type { Dependencies } from '../dependencies.ts';
import { apiError, orNotFound } from '../http/api-error.ts';
import { limitManualDelivery } from './limit-manual-delivery.ts';

type TestFire = {
  readonly vendorId: string;
  readonly subscriptionId: string;
  readonly eventType: EventType;
};

/** Sends a sample event to a subscription; returns the attempt, even a failed one. */
export async function testFire(
  dependencies: Pick<Dependencies, 'sql' | 'testFires' | 'manualDeliveriesPerMinute'>,
  wanted: TestFire,
): Promise<DeliveryAttempt> {
  const { sql, testFires } = dependencies;
  const deliveryId = await storeSample(dependencies, wanted);
  try {
    await testFires.waitFor(deliveryId);
  } catch (error) {
    const sent = await cancelUnsentSample(sql, deliveryId);
    if (sent === null) throw error;
    return sent;
  }
  const attempt = await findLatestAttempt(sql, deliveryId);
  if (attempt === null) throw new Error(`the sample ${deliveryId} ended without an attempt`);
  return attempt;
}

/**
 * Returns the id of the sample's delivery. The lock on the subscription orders this against a
 * concurrent deactivation, which cancels the delivery.
 */
async function storeSample(
  dependencies: Pick<Dependencies, 'sql' | 'manualDeliveriesPerMinute'>,
  { vendorId, subscriptionId, eventType }: TestFire,
): Promise<string> {
  return dependencies.sql.begin(async (transaction) => {
    const locked = await lockSubscription(transaction, subscriptionId, vendorId);
    const { isActive, eventTypes } = orNotFound(locked, 'NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION');
    await limitManualDelivery(transaction, dependencies, 'test-fire', subscriptionId);
    if (!isActive) throw apiError('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_INACTIVE');
    if (!eventTypes.includes(eventType)) {
      throw apiError('VALIDATION_WEBHOOK_EVENT_TYPE_NOT_SUBSCRIBED', { allowedValues: eventTypes });
    }
    const occurredAt = await businessNow(transaction, vendorId);
    const data = sampleData(eventType, { newId: randomUUID, at: occurredAt.toISOString() });
    const event = newEvent({ eventType, vendorId, occurredAt, data, test: true });
    return insertSample(transaction, event, subscriptionId);
  });
}

/** After a failed call the sample must not be sent later. Returns its attempt if it was sent. */
async function cancelUnsentSample(
  sql: Dependencies['sql'],
  deliveryId: string,
): Promise<DeliveryAttempt | null> {
  if (await cancelSample(sql, deliveryId)) return null;
  const attempt = await findLatestAttempt(sql, deliveryId);
  return attempt?.succeeded === null ? null : attempt;
}

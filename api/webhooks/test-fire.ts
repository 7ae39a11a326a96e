import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { findLatestAttempt, type DeliveryAttempt } from '../../db/webhooks/attempt-list.ts';
import { databaseTime } from '../../db/core/clock.ts';
import type { NewEvent } from '../../db/webhooks/webhook-events.ts';
import { cancelSample, insertSample } from '../../db/webhooks/webhook-samples.ts';
import { eventBody, type EventType } from '../../domain/webhooks/events.ts';
import { sampleData } from '../../domain/webhooks/webhook-sample.ts';
import type { Sample } from '../../temporal/test-fires.ts';
import { apiError } from '../http/api-error.ts';
import type { VendorCaller } from '../auth/tokens.ts';
import type { Dependencies } from '../dependencies.ts';
import { lockOwnSubscription } from './own-subscription.ts';

/** Sends a subscription a sample of one of its event types, and answers the attempt, whatever became of it (D50). */
export async function testFire(
  dependencies: Pick<Dependencies, 'sql' | 'testFires'>,
  asked: { readonly caller: VendorCaller; readonly rawId: string; readonly eventType: EventType },
): Promise<DeliveryAttempt> {
  const sample = await storeSample(dependencies, asked);
  const { sql, testFires } = dependencies;
  try {
    await testFires.send(sample);
  } catch (error) {
    const made = await takeBack(sql, sample.deliveryId);
    if (made === null) throw error;
    return made;
  }
  const attempt = await findLatestAttempt(sql, sample.deliveryId);
  if (attempt === null)
    throw new Error(`the run of sample ${sample.deliveryId} ended without an attempt`);
  return attempt;
}

/** The subscription's row is held, so that whoever makes it inactive finds the sample, or is found. */
async function storeSample(
  { sql }: Pick<Dependencies, 'sql'>,
  {
    caller,
    rawId,
    eventType,
  }: { readonly caller: VendorCaller; readonly rawId: string; readonly eventType: EventType },
): Promise<Sample> {
  const { vendorId } = caller;
  const deliveryId = uuidv7();
  await sql.begin(async (transaction) => {
    const { id, isActive, eventTypes } = await lockOwnSubscription(transaction, caller, rawId);
    if (!isActive) throw apiError('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_INACTIVE');
    if (!eventTypes.includes(eventType)) {
      throw apiError('VALIDATION_WEBHOOK_EVENT_TYPE_NOT_SUBSCRIBED', { allowedValues: eventTypes });
    }
    const event = sampleEvent(vendorId, eventType, await databaseTime(transaction));
    await insertSample(transaction, event, { id: deliveryId, subscriptionId: id });
  });
  return { deliveryId, vendorId, eventType };
}

function sampleEvent(vendorId: string, eventType: EventType, occurredAt: Date): NewEvent {
  const id = `evt_${uuidv7()}`;
  const at = occurredAt.toISOString();
  const data = sampleData(eventType, { newId: randomUUID, at });
  const body = eventBody({ eventId: id, eventType, occurredAt: at, vendorId, test: true, data });
  return { id, vendorId, eventType, body, occurredAt };
}

/** Nobody waits for the sample any more: it must not be sent later. Answers its attempt if that has been made all the same. */
async function takeBack(
  sql: Dependencies['sql'],
  deliveryId: string,
): Promise<DeliveryAttempt | null> {
  if (await cancelSample(sql, deliveryId)) return null;
  const attempt = await findLatestAttempt(sql, deliveryId);
  return attempt?.succeeded === null ? null : attempt;
}

import { setTimeout as delay } from 'node:timers/promises';
import { expect, payloadOf } from './caller.ts';
import type { Stage } from './stage.ts';
import {
  attemptPage,
  operatorsDeliveries,
  type Attempt,
  type OperatorsDelivery,
} from './webhook-forms.ts';

/** The receiver has an event a moment before the gateway has recorded its answer. */
const recordedMs = 30_000;

/** Reads again until what was read is as expected; fails when that takes too long. */
export async function takesEffect<T>(
  read: () => Promise<T>,
  isAsExpected: (found: T) => boolean,
): Promise<T> {
  for (const deadline = Date.now() + recordedMs; ;) {
    const found = await read();
    if (isAsExpected(found)) return found;
    expect(Date.now() < deadline, 'what was delivered is in the record');
    await delay(100);
  }
}

/** The vendor's list of the attempts at one event, newest first, once the newest one is as expected. */
export const attemptsAt = (
  { asVendor, subscription }: Stage,
  eventId: string,
  isAsExpected: (newest: Attempt) => boolean,
): Promise<readonly Attempt[]> =>
  takesEffect(
    async () => {
      const listed = await asVendor('GET', `/api/v1/webhooks/${subscription.id}/deliveries`);
      const { items } = payloadOf(listed, 200, attemptPage);
      return items.filter(({ idempotencyKey }) => idempotencyKey === eventId);
    },
    ([newest]) => newest !== undefined && isAsExpected(newest),
  );

/** The operator's list: the delivery of an event to this vendor, in a state. */
export async function deliveryOf(
  { asOperator, vendorId }: Stage,
  state: 'succeeded' | 'deadLettered',
  eventId: string,
): Promise<OperatorsDelivery> {
  const path = `/operator/v1/webhook-deliveries?state=${state}&vendorId=${vendorId}&pageSize=10`;
  const { items } = payloadOf(await asOperator('GET', path), 200, operatorsDeliveries);
  const found = items.find((item) => item.eventId === eventId);
  if (found === undefined) throw new Error(`expected: the event is among the ${state}`);
  return found;
}

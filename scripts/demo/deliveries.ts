import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { expect, payloadOf } from './caller.ts';
import type { Stage } from './stage.ts';

const attempts = v.object({
  items: v.array(
    v.object({ idempotencyKey: v.string(), attemptNumber: v.number(), succeeded: v.boolean() }),
  ),
});
const deliveries = v.object({
  items: v.array(v.object({ eventId: v.string(), workflow: v.object({ url: v.string() }) })),
});

const recordedMs = 30_000;

/** Both sides read how the first event was delivered; answers where its delivery's history is. */
export async function readDeliveries(stage: Stage, eventId: string): Promise<string> {
  const { asVendor, asOperator, step, subscription, vendorId } = stage;
  step('The vendor reads the delivery attempts');
  const path = `/api/v1/webhooks/${subscription.id}/deliveries`;
  // The receiver has the event a moment before its attempt is recorded.
  for (const deadline = Date.now() + recordedMs; ;) {
    const listed = payloadOf(await asVendor('GET', path), 200, attempts);
    const [attempt] = listed.items;
    expect(
      listed.items.length === 1 && attempt?.idempotencyKey === eventId,
      'one attempt, of this event',
    );
    if (attempt?.succeeded === true) break;
    expect(Date.now() < deadline, 'the attempt is recorded as a success');
    await delay(100);
  }
  step('The operator finds the delivery and its history');
  const query = `state=succeeded&vendorId=${vendorId}&pageSize=1`;
  const listed = payloadOf(
    await asOperator('GET', `/operator/v1/webhook-deliveries?${query}`),
    200,
    deliveries,
  );
  const delivery = listed.items.find((item) => item.eventId === eventId);
  expect(delivery !== undefined, "the vendor's newest succeeded delivery is this one");
  return delivery?.workflow.url ?? '';
}

import type * as v from 'valibot';
import { pageOf } from '../../api/http/envelope.ts';
import { operatorDeliveryResponse } from '../../api/webhooks/responses/operator-webhook.ts';
import { deliveryAttemptResponse } from '../../api/webhooks/responses/webhook.ts';
import { expect, waitFor } from './api-client.ts';
import type { DemoContext } from './context.ts';

type Attempt = v.InferOutput<typeof deliveryAttemptResponse>;
type OperatorsDelivery = v.InferOutput<typeof operatorDeliveryResponse>;

/** The vendor's list of the attempts, newest first. */
async function readAttempts({ vendor, subscription }: DemoContext): Promise<readonly Attempt[]> {
  const request = `GET /api/v1/webhooks/${subscription.id}/deliveries`;
  return (await vendor.expect(request, pageOf(deliveryAttemptResponse))).items;
}

/**
 * The attempts at one event, newest first, once the newest one is as expected: the receiver has an
 * event shortly before the gateway has recorded its response.
 */
export const waitForAttempts = (
  context: DemoContext,
  eventId: string,
  isExpected: (newest: Attempt) => boolean,
): Promise<readonly Attempt[]> =>
  waitFor(
    async () =>
      (await readAttempts(context)).filter(({ idempotencyKey }) => idempotencyKey === eventId),
    ([newest]) => newest !== undefined && isExpected(newest),
  );

/** The delivery of an event, as operators list it by the event and its state. */
export async function readDelivery(
  { operator, vendorId }: DemoContext,
  state: 'succeeded' | 'deadLettered',
  eventId: string,
): Promise<OperatorsDelivery> {
  const query = `state=${state}&vendorId=${vendorId}&eventId=${eventId}`;
  const request = `GET /operator/v1/webhook-deliveries?${query}`;
  const [found] = (await operator.expect(request, pageOf(operatorDeliveryResponse))).items;
  if (found === undefined) throw new Error(`expected: a delivery of ${eventId} is ${state}`);
  return found;
}

/** The vendor and the operator read the first delivery. Returns the URL of its history. */
export async function readFirstDelivery(context: DemoContext, eventId: string): Promise<string> {
  context.step('The vendor reads the delivery attempts');
  await waitFor(
    () => readAttempts(context),
    ([attempt, ...others]) => {
      // The list has a quick attempt once its response is stored.
      const isOnly = others.length === 0 && (attempt?.idempotencyKey ?? eventId) === eventId;
      expect(isOnly, 'there is one attempt at most, of this event');
      return attempt?.succeeded === true;
    },
  );
  context.step('The operator finds the delivery and its history');
  return (await readDelivery(context, 'succeeded', eventId)).workflow.url;
}

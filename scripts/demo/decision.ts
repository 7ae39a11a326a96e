import * as v from 'valibot';
import { expect, payloadOf } from './caller.ts';
import { decided, operatorsOffer } from './forms.ts';
import type { Received } from './receiver.ts';
import type { Stage } from './stage.ts';

const event = v.object({
  eventId: v.string(),
  data: v.object({
    offerId: v.string(),
    decision: v.string(),
    status: v.string(),
    reason: v.nullable(v.string()),
  }),
});
export type DecisionEvent = v.InferOutput<typeof event>;

const arrivalMs = 30_000;

/** A reviewer's decision on an offer, by its route; it must leave the offer in this status. */
export async function decide(
  { asOperator }: Stage,
  offerId: string,
  route: 'approve' | 'reject' | 'pending-price/apply',
  body: object,
  status: string,
): Promise<v.InferOutput<typeof decided>> {
  const answer = await asOperator('POST', `/operator/v1/offers/${offerId}/${route}`, body);
  const offer = payloadOf(answer, 200, decided);
  expect(offer.status === status, `the offer is ${status}`);
  return offer;
}

/** The next decision that arrives at the vendor's receiver: signed as it should be, and this one. */
export async function decisionArrives(
  stage: Stage,
  offerId: string,
  decision: string,
): Promise<DecisionEvent> {
  const received = await nextOfThisRun(stage);
  const arrived = v.parse(event, received.verify(stage.subscription.secret));
  const id = received.headers['webhook-id'];
  stage.print(`    webhook ${id ?? ''}: ${arrived.data.decision}, signature verified`);
  expect(arrived.data.offerId === offerId, 'the event is about this offer');
  expect(arrived.data.decision === decision, `the event tells ${decision}`);
  expect(id === arrived.eventId, 'webhook-id is the eventId');
  return arrived;
}

/** A run of the story that was broken off may have left deliveries that still come. */
async function nextOfThisRun({ receiver, subscription }: Stage): Promise<Received> {
  const deadline = Date.now() + arrivalMs;
  for (;;) {
    const received = await receiver.next(Math.max(0, deadline - Date.now()));
    if (received.path === subscription.path) return received;
  }
}

/** The offer as the operator reads it. */
export const readAsOperator = async (
  { asOperator }: Stage,
  offerId: string,
): Promise<v.InferOutput<typeof operatorsOffer>> =>
  payloadOf(await asOperator('GET', `/operator/v1/offers/${offerId}`), 200, operatorsOffer);

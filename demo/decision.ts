import * as v from 'valibot';
import { eventArrives, eventForm } from './arrival.ts';
import { expect, payloadOf } from './caller.ts';
import { decided, operatorsOffer } from './forms.ts';
import type { Stage } from './stage.ts';

const event = eventForm(
  v.object({
    offerId: v.string(),
    decision: v.string(),
    status: v.string(),
    reason: v.nullable(v.string()),
  }),
);
export type DecisionEvent = v.InferOutput<typeof event>;

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
  const arrived = await eventArrives(stage, event, (data) => data.decision);
  expect(arrived.data.offerId === offerId, 'the event is about this offer');
  expect(arrived.data.decision === decision, `the event tells ${decision}`);
  return arrived;
}

/** The offer as the operator reads it. */
export const readAsOperator = async (
  { asOperator }: Stage,
  offerId: string,
): Promise<v.InferOutput<typeof operatorsOffer>> =>
  payloadOf(await asOperator('GET', `/operator/v1/offers/${offerId}`), 200, operatorsOffer);

import * as v from 'valibot';
import { flatOfferResponse } from '../../api/offers/responses/flat-offer.ts';
import { nestedOfferResponse } from '../../api/offers/responses/nested-offer.ts';
import { offerForReviewResponse } from '../../api/offers/responses/offer-for-review.ts';
import { operatorOfferResponse } from '../../api/offers/responses/operator-offer.ts';
import { expect } from './api-client.ts';
import type { DemoContext } from './context.ts';
import { eventSchema, receiveEvent } from './events.ts';

const offersPath = '/api/v1/scent/offers';
const rejectReason = 'The concentration is not what the bottle says.';

const decisionEvent = eventSchema(
  v.object({
    offerId: v.string(),
    decision: v.string(),
    status: v.string(),
    reason: v.nullable(v.string()),
  }),
);

/**
 * Reads an offer and sends a reviewer's decision on what was read, which must leave the offer in
 * this status.
 */
export async function decide(
  context: DemoContext,
  offerId: string,
  route: 'approve' | 'reject' | 'pending-price/apply',
  status: string,
  body: object = {},
): Promise<v.InferOutput<typeof operatorOfferResponse>> {
  const { reviewVersion: expectedVersion } = await readAsOperator(context, offerId);
  const url = `POST /operator/v1/offers/${offerId}/${route}`;
  return context.operator.expect(url, operatorOfferResponse, {
    body: { ...body, expectedVersion },
    values: { status },
  });
}

/** Receives the next event, which must be this decision. */
export const receiveDecision = (
  context: DemoContext,
  offerId: string,
  decision: string,
): Promise<v.InferOutput<typeof decisionEvent>> =>
  receiveEvent(context, decisionEvent, decision, { offerId, decision });

export const readAsOperator = (
  { operator }: DemoContext,
  offerId: string,
): Promise<v.InferOutput<typeof offerForReviewResponse>> =>
  operator.expect(`GET /operator/v1/offers/${offerId}`, offerForReviewResponse);

/**
 * The main flow: a vendor submits an offer, a reviewer approves it, and a signed webhook arrives.
 */
export async function approveFirstOffer(context: DemoContext) {
  const { vendor, operator, step, variantId, suffix } = context;
  const body = {
    vendorExternalId: `oud-50-${suffix}`,
    rawBrandName: 'Maison Dahab',
    rawProductName: 'Oud 50',
    cost: 1000,
    costIsVatInclusive: true,
    declaredStockQuantity: 12,
  };
  step('The vendor submits an offer with a cost of 1000.00, VAT included');
  const { id: offerId } = await vendor.expect(`POST ${offersPath}`, flatOfferResponse, {
    body,
    status: 201,
    values: { status: 'PendingMatch', cost: 869.57, inputVatAmount: 130.43 },
  });

  step('The same call again returns the same offer and creates no second one');
  await vendor.expect(`POST ${offersPath}`, flatOfferResponse, { body, values: { id: offerId } });

  step('A mistake gets a clear error and changes nothing');
  const wrong = { ...body, cost: 10.005 };
  await vendor.expectRefusal(`POST ${offersPath}`, '400 VALIDATION_ERRORS', { body: wrong });

  step('A reviewer finds it in the queue and approves it with a match: an Update on its workflow');
  await operator.expect('GET /operator/v1/offers?awaitingDecision=true&pageSize=1', v.unknown());
  const { workflow } = await decide(context, offerId, 'approve', 'Approved', { variantId });

  step('The decision arrives at the receiver, signed (Standard Webhooks)');
  const { eventId } = await receiveDecision(context, offerId, 'Approved');
  return { offerId, eventId, workflowUrl: workflow.url };
}

/** The vendor changes a live offer; a reviewer rejects it, and approves the corrected one. */
export async function reviewAgain(context: DemoContext, offerId: string): Promise<void> {
  const { step } = context;
  step('The vendor changes the concentration: back to review, while the approved offer sells');
  await edit(context, offerId, { rawConcentration: 'Extrait' });
  expect(await isSelling(context, offerId), 'it sells as it was approved');

  step('A reviewer rejects it with a reason: it stops selling, and the event has the reason');
  await decide(context, offerId, 'reject', 'Rejected', { reason: rejectReason });
  expect(!(await isSelling(context, offerId)), 'it does not sell');
  const { data } = await receiveDecision(context, offerId, 'Rejected');
  expect(data.reason === rejectReason, 'the event has the reason');

  step('The vendor corrects it: in review again');
  await edit(context, offerId, { rawConcentration: 'Eau de Parfum' });

  step('A reviewer approves it: it sells again');
  await decide(context, offerId, 'approve', 'Approved');
  expect(await isSelling(context, offerId), 'it sells');
  await receiveDecision(context, offerId, 'Approved');
}

async function edit({ vendor }: DemoContext, offerId: string, body: object): Promise<void> {
  const values = { status: 'PendingReview' };
  await vendor.expect(`PATCH ${offersPath}/${offerId}`, nestedOfferResponse, { body, values });
}

async function isSelling(context: DemoContext, offerId: string): Promise<boolean> {
  const { supply } = await readAsOperator(context, offerId);
  return supply !== null && !supply.isPaused;
}

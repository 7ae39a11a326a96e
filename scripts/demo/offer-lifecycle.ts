import { flatOfferResponse } from '../../api/offers/responses/flat-offer.ts';
import { nestedOfferResponse } from '../../api/offers/responses/nested-offer.ts';
import { operatorOfferResponse } from '../../api/offers/responses/operator-offer.ts';
import { readOfferResponse } from '../../api/offers/responses/read-offer.ts';
import { expect } from './api-client.ts';
import type { DemoContext } from './context.ts';
import { decide, receiveDecision } from './review.ts';

const offersPath = '/api/v1/scent/offers';

/**
 * A second offer is a draft, submitted, withdrawn, submitted, approved, suspended and reinstated.
 */
export async function moveSecondOffer(context: DemoContext): Promise<string> {
  const { vendor, operator, step, suffix, variantId } = context;
  step('The vendor saves a draft, which is not reviewed');
  const { id } = await vendor.expect(`POST ${offersPath}`, flatOfferResponse, {
    body: {
      variantId,
      vendorExternalId: `oud-50-second-${suffix}`,
      cost: 300,
      costIsVatInclusive: false,
      declaredStockQuantity: 3,
      saveAsDraft: true,
    },
    status: 201,
    values: { status: 'Draft' },
  });
  const move = (action: string, status: string) =>
    vendor.expect(`POST ${offersPath}/${id}/${action}`, nestedOfferResponse, {
      values: { status },
    });

  step('The vendor submits the draft');
  await move('submit', 'PendingReview');

  step('The vendor withdraws it and submits it again');
  await move('withdraw', 'Withdrawn');
  await move('submit', 'PendingReview');

  step('A reviewer approves it');
  await decide(context, id, 'approve', 'Approved');
  await receiveDecision(context, id, 'Approved');

  step('The operator suspends it and reinstates it');
  const moveAsOperator = (action: string, status: string, reason: string) =>
    operator.expect(`POST /operator/v1/offers/${id}/${action}`, operatorOfferResponse, {
      body: { reason },
      values: { status, review: { reason } },
    });
  await moveAsOperator('suspend', 'Suspended', 'A complaint about the label.');
  await moveAsOperator('reinstate', 'Approved', 'The label is right.');
  return id;
}

/** The vendor reads an offer's history: each status in order, with the reasons. */
export async function readOfferHistory(
  { vendor, print, step }: DemoContext,
  offerId: string,
  statuses: string,
): Promise<void> {
  step('The vendor reads the history of the offer');
  const request = `GET ${offersPath}/${offerId}?include=history`;
  const { history = [] } = await vendor.expect(request, readOfferResponse);
  for (const { at, from, to, reason } of [
    { at: '           at', from: 'from', to: 'to', reason: 'reason' },
    ...history,
  ]) {
    const columns = [at.slice(11, 23).padEnd(14), (from ?? '-').padEnd(18), to.padEnd(18)];
    print(`      ${columns.join('')}${reason ?? ''}`.trimEnd());
  }
  const found = history.map(({ to }) => to).join(' → ');
  expect(found === statuses, `the history is ${statuses}`);
  const isChain = history.every(({ from }, index) => from === (history[index - 1]?.to ?? null));
  expect(isChain, 'each change begins with the status of the one before');
}

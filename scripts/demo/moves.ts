import { expect, payloadOf } from './caller.ts';
import { decide, decisionArrives } from './decision.ts';
import { decided, flatOffer, nestedOffer } from './forms.ts';
import type { Stage } from './stage.ts';

/** A second offer goes every way but the straight one: draft, submitted, withdrawn, back, suspended, reinstated. */
export async function moveSecondOffer(stage: Stage): Promise<string> {
  const { step } = stage;
  step('The vendor saves a draft: nobody reviews it yet');
  const offerId = await saveDraft(stage);

  step('The vendor submits the draft');
  await move(stage, offerId, 'submit', 'PendingReview');

  step('The vendor withdraws it, and submits it again');
  await move(stage, offerId, 'withdraw', 'Withdrawn');
  await move(stage, offerId, 'submit', 'PendingReview');

  step('A reviewer approves it');
  await decide(stage, offerId, 'approve', {}, 'Approved');
  await decisionArrives(stage, offerId, 'Approved');

  step('The operator suspends it, and reinstates it');
  await moveAsOperator(stage, offerId, 'suspend', 'Suspended');
  await moveAsOperator(stage, offerId, 'reinstate', 'Approved');
  return offerId;
}

async function saveDraft({ asVendor, run, variantId }: Stage): Promise<string> {
  const body = {
    variantId,
    vendorExternalId: `oud-50-second-${run}`,
    cost: 300,
    costIsVatInclusive: false,
    declaredStockQuantity: 3,
    saveAsDraft: true,
  };
  const saved = payloadOf(await asVendor('POST', '/api/v1/scent/offers', body), 201, flatOffer);
  expect(saved.status === 'Draft', 'it is a draft');
  return saved.id;
}

async function move(
  { asVendor }: Stage,
  offerId: string,
  action: 'submit' | 'withdraw',
  status: string,
): Promise<void> {
  const answer = await asVendor('POST', `/api/v1/scent/offers/${offerId}/${action}`);
  expect(payloadOf(answer, 200, nestedOffer).status === status, `it is ${status}`);
}

async function moveAsOperator(
  { asOperator }: Stage,
  offerId: string,
  action: 'suspend' | 'reinstate',
  status: string,
): Promise<void> {
  const reason = action === 'suspend' ? 'A complaint about the label.' : 'The label is right.';
  const answer = await asOperator('POST', `/operator/v1/offers/${offerId}/${action}`, { reason });
  const moved = payloadOf(answer, 200, decided);
  expect(
    moved.status === status && moved.review.reason === reason,
    `it is ${status}, with the reason`,
  );
}

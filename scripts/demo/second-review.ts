import { expect, payloadOf } from './caller.ts';
import { decide, decisionArrives, readAsOperator } from './decision.ts';
import { nestedOffer } from './forms.ts';
import type { Stage } from './stage.ts';

const reason = 'The concentration is not what the bottle says.';

/** A live offer changes what it is, is rejected for it, corrected, and approved once more. */
export async function reviewAgain(stage: Stage, offerId: string): Promise<void> {
  const { step } = stage;
  step('The vendor changes what the offer is: back to review, while the approved one sells on');
  await edit(stage, offerId, { rawConcentration: 'Extrait' }, 'PendingReview');
  expect(await isSelling(stage, offerId), 'it sells as it was approved');

  step('A reviewer rejects it, with a reason: it stops selling, and the vendor is told why');
  await decide(stage, offerId, 'reject', { reason }, 'Rejected');
  expect(!(await isSelling(stage, offerId)), 'it does not sell');
  const rejected = await decisionArrives(stage, offerId, 'Rejected');
  expect(rejected.data.reason === reason, 'the event has the reason');

  step('The vendor edits it: in review once more');
  await edit(stage, offerId, { rawConcentration: 'Eau de Parfum' }, 'PendingReview');

  step('A reviewer approves it: it sells again');
  await decide(stage, offerId, 'approve', {}, 'Approved');
  expect(await isSelling(stage, offerId), 'it sells');
  await decisionArrives(stage, offerId, 'Approved');
}

async function edit(
  { asVendor }: Stage,
  offerId: string,
  body: object,
  status: string,
): Promise<void> {
  const edited = payloadOf(
    await asVendor('PATCH', `/api/v1/scent/offers/${offerId}`, body),
    200,
    nestedOffer,
  );
  expect(edited.status === status, `it is ${status}`);
}

async function isSelling(stage: Stage, offerId: string): Promise<boolean> {
  const { supply } = await readAsOperator(stage, offerId);
  return supply !== null && !supply.isPaused;
}

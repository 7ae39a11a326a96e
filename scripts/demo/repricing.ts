import * as v from 'valibot';
import { expect, payloadOf } from './caller.ts';
import { decide, decisionArrives, readAsOperator } from './decision.ts';
import { nestedOffer } from './forms.ts';
import type { Stage } from './stage.ts';

const switched = v.object({
  offersMovedToRepricing: v.number(),
  workflow: v.object({ url: v.string() }),
});

/** The agreement becomes PercentageOfSale: both live offers stop selling until a price of it is approved. Answers the switch's history. */
export async function switchAgreement(stage: Stage, offerId: string): Promise<string> {
  const { step, asVendor, asOperator } = stage;
  step("The operator switches the vendor's agreement: every live offer wants a sale price now");
  const agreement = { pricingModel: 'PercentageOfSale', commissionPercent: 10 };
  const path = `/operator/v1/vendors/${stage.vendorId}/agreement`;
  const { offersMovedToRepricing, workflow } = payloadOf(
    await asOperator('PATCH', path, agreement),
    200,
    switched,
  );
  expect(offersMovedToRepricing === 2, 'both offers want another price');
  const before = payloadOf(
    await asVendor('GET', `/api/v1/scent/offers/${offerId}`),
    200,
    nestedOffer,
  );
  expect(before.status === 'PendingRepricing', 'it is PendingRepricing at once');
  expect(
    before.pricingModel.model === 2 && before.price.amount === null,
    'it has no price of Model 2 yet',
  );
  const paused = await readAsOperator(stage, offerId);
  expect(paused.supply?.isPaused === true, 'it does not sell');

  step('The vendor pushes a sale price: in review');
  const price = { salePrice: 2300, salePriceIsVatInclusive: true };
  const pushed = await asVendor('PATCH', `/api/v1/scent/offers/${offerId}/sale-price`, price);
  expect(payloadOf(pushed, 200, nestedOffer).status === 'PendingReview', 'it is PendingReview');

  step('A reviewer approves it: it sells at the sale price, less the commission for the vendor');
  const approved = await decide(stage, offerId, 'approve', {}, 'Approved');
  expect(approved.price.amount === 2000 && approved.price.pending === null, '2000.00 net is live');
  const { supply } = await readAsOperator(stage, offerId);
  expect(supply?.isPaused === false, 'it sells');
  expect(
    supply?.sellPrice === 2000 && supply.payoutPrice === 1800,
    'at 2000.00, of which 1800.00 is paid out',
  );
  await decisionArrives(stage, offerId, 'Approved');
  return workflow.url;
}

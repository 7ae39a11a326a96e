import * as v from 'valibot';
import { nestedOfferResponse } from '../../api/offers/responses/nested-offer.ts';
import { expect } from './api-client.ts';
import type { DemoContext } from './context.ts';
import { decide, readAsOperator, receiveDecision } from './review.ts';

const switched = v.object({
  offersMovedToRepricing: v.number(),
  workflow: v.object({ url: v.string() }),
});

/**
 * The agreement becomes PercentageOfSale: both live offers stop selling until a sale price is
 * approved. Returns the URL of the switch's history.
 */
export async function switchAgreement(context: DemoContext, offerId: string): Promise<string> {
  const { step, vendor, operator, vendorId } = context;
  const path = `/api/v1/scent/offers/${offerId}`;
  step("The operator switches the vendor's agreement: every live offer needs a sale price");
  const request = `PATCH /operator/v1/vendors/${vendorId}/agreement`;
  const { workflow } = await operator.expect(request, switched, {
    body: { pricingModel: 'PercentageOfSale', commissionPercent: 10 },
    values: { offersMovedToRepricing: 2 },
  });
  await vendor.expect(`GET ${path}`, nestedOfferResponse, {
    values: { status: 'PendingRepricing', pricingModel: { model: 2 }, price: { amount: null } },
  });
  const paused = await readAsOperator(context, offerId);
  expect(paused.supply?.isPaused === true, 'it does not sell');

  step('The vendor pushes a sale price: in review');
  await vendor.expect(`PATCH ${path}/sale-price`, nestedOfferResponse, {
    body: { salePrice: 2300, salePriceIsVatInclusive: true },
    values: { status: 'PendingReview' },
  });

  step('A reviewer approves it: it sells at the sale price, and the payout is less the commission');
  const { price } = await decide(context, offerId, 'approve', 'Approved');
  expect(price.amount === 2000 && price.pending === null, '2000.00 net is live');
  const { supply } = await readAsOperator(context, offerId);
  expect(supply?.isPaused === false, 'it sells');
  expect(supply?.sellPrice === 2000 && supply.payoutPrice === 1800, 'at 2000.00, payout 1800.00');
  await receiveDecision(context, offerId, 'Approved');
  return workflow.url;
}

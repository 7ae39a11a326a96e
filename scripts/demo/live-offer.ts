import { nestedOfferResponse } from '../../api/offers/responses/nested-offer.ts';
import { expect } from './api-client.ts';
import type { DemoContext } from './context.ts';
import { decide, readAsOperator, receiveDecision } from './review.ts';

/** The vendor changes a live offer: stock at once, a cost after a review, the sale price never. */
export async function changeLiveOffer(context: DemoContext, offerId: string): Promise<void> {
  const { vendor, step, print } = context;
  const path = `/api/v1/scent/offers/${offerId}`;
  step('The vendor pushes stock: without a review, the supply option has it at once');
  await vendor.expect(`PATCH ${path}/stock`, nestedOfferResponse, {
    body: { declaredInStock: true, declaredStockQuantity: 7 },
    values: { status: 'Approved', stock: { declaredQuantity: 7 } },
  });
  const { supply: stocked } = await readAsOperator(context, offerId);
  expect(stocked?.stockQuantity === 7 && stocked.inStock, 'the supply option has 7 in stock');

  step('The vendor pushes a new cost: it is pending, and the offer sells at the live cost');
  const { cost: staged } = await vendor.expect(`PATCH ${path}/cost`, nestedOfferResponse, {
    body: { cost: 1100, costIsVatInclusive: true },
    values: {
      status: 'Approved',
      cost: { amount: 869.57, pending: { amount: 956.52, inputVat: 143.48 } },
    },
  });
  print(`    live ${String(staged.amount)}, pending ${String(staged.pending?.amount)}`);

  step('A reviewer finds the pending cost and applies it: the supply option sells at it');
  const before = await readAsOperator(context, offerId);
  expect(before.awaitingDecision, 'the offer awaits a decision');
  expect(before.supply?.netPrice === 869.57, 'it sells at the old cost');
  const { cost } = await decide(context, offerId, 'pending-price/apply', 'Approved');
  expect(cost.amount === 956.52 && cost.pending === null, 'the pending cost is live');
  const { supply } = await readAsOperator(context, offerId);
  expect(supply?.netPrice === 956.52, 'the net price is 956.52');
  expect(supply?.sellPrice === 1195.65, 'it sells at 956.52 and 25 % markup');
  const { data } = await receiveDecision(context, offerId, 'PriceApplied');
  expect(data.status === 'Approved', 'the event has the status Approved');

  step('The vendor pushes a sale price, which belongs to the other pricing model: refused');
  await vendor.expectRefusal(
    `PATCH ${path}/sale-price`,
    '422 BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT',
    { body: { salePrice: 2000, salePriceIsVatInclusive: true } },
  );
}

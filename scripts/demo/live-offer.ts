import { expect, expectRefusal, payloadOf } from './caller.ts';
import { decide, decisionArrives, readAsOperator } from './decision.ts';
import { nestedOffer } from './forms.ts';
import type { Stage } from './stage.ts';

/** What a vendor may do to a live offer: stock at once, a price by way of a reviewer, the other model's price not at all. */
export async function changeLiveOffer(stage: Stage, offerId: string): Promise<void> {
  await pushStock(stage, offerId);
  await pushCost(stage, offerId);
  await applyCost(stage, offerId);
  await pushWrongPrice(stage, offerId);
}

async function pushStock(stage: Stage, offerId: string): Promise<void> {
  stage.step('The vendor pushes stock: no reviewer, and the supply option has it at once');
  const body = { declaredInStock: true, declaredStockQuantity: 7 };
  const answer = await stage.asVendor('PATCH', `/api/v1/scent/offers/${offerId}/stock`, body);
  const pushed = payloadOf(answer, 200, nestedOffer);
  expect(
    pushed.status === 'Approved' && pushed.stock.declaredQuantity === 7,
    'it is live, with 7 in stock',
  );
  const { supply } = await readAsOperator(stage, offerId);
  expect(supply?.stockQuantity === 7 && supply.inStock, 'the supply option has 7 in stock');
}

async function pushCost(stage: Stage, offerId: string): Promise<void> {
  stage.step('The vendor pushes a new cost: staged, the live one sells on');
  const body = { cost: 1100, costIsVatInclusive: true };
  const answer = await stage.asVendor('PATCH', `/api/v1/scent/offers/${offerId}/cost`, body);
  const { status, cost } = payloadOf(answer, 200, nestedOffer);
  stage.print(`    live ${String(cost.amount)}, pending ${String(cost.pending?.amount)}`);
  expect(status === 'Approved' && cost.amount === 869.57, 'it is live at the old cost');
  expect(
    cost.pending?.amount === 956.52 && cost.pending.inputVat === 143.48,
    '956.52 + 143.48 is pending',
  );
}

async function applyCost(stage: Stage, offerId: string): Promise<void> {
  stage.step('A reviewer sees that it waits, and applies the cost: the supply option sells at it');
  const before = await readAsOperator(stage, offerId);
  expect(
    before.awaitingDecision && before.supply?.netPrice === 869.57,
    'it waits, and sells at the old cost',
  );
  const { cost } = await decide(stage, offerId, 'pending-price/apply', {}, 'Approved');
  expect(cost.amount === 956.52 && cost.pending === null, 'the staged cost is live');
  const { supply } = await readAsOperator(stage, offerId);
  expect(
    supply?.netPrice === 956.52 && supply.sellPrice === 1195.65,
    'it sells at 956.52 and 25 % on top',
  );
  const { data } = await decisionArrives(stage, offerId, 'PriceApplied');
  expect(data.status === 'Approved', 'the event tells that it is live');
}

async function pushWrongPrice(stage: Stage, offerId: string): Promise<void> {
  stage.step('A sale price is of the other agreement: refused');
  const body = { salePrice: 2000, salePriceIsVatInclusive: true };
  const answer = await stage.asVendor('PATCH', `/api/v1/scent/offers/${offerId}/sale-price`, body);
  expectRefusal(answer, 422, 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT');
}

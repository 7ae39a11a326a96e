import { expect, expectRefusal, payloadOf } from './caller.ts';
import { decide, decisionArrives } from './decision.ts';
import { flatOffer } from './forms.ts';
import type { Stage } from './stage.ts';

export type FirstApproval = {
  readonly offerId: string;
  /** The event that told the vendor. */
  readonly eventId: string;
  readonly workflowUrl: string;
};

/** The main job: an offer is submitted, matched and approved, and the vendor is told by a signed webhook. */
export async function approveFirstOffer(stage: Stage): Promise<FirstApproval> {
  const { asOperator, step, variantId } = stage;
  const offerId = await submitOffer(stage);

  step('A reviewer finds it in the queue and approves it with a match: an Update on its workflow');
  const queue = await asOperator('GET', '/operator/v1/offers?awaitingDecision=true&pageSize=1');
  expect(queue.status === 200, 'the queue answers');
  const { workflow } = await decide(stage, offerId, 'approve', { variantId }, 'Approved');

  step('The decision arrives at the receiver, signed (Standard Webhooks)');
  const { eventId } = await decisionArrives(stage, offerId, 'Approved');
  return { offerId, eventId, workflowUrl: workflow.url };
}

async function submitOffer({ asVendor, step, run }: Stage): Promise<string> {
  const path = '/api/v1/scent/offers';
  const body = {
    vendorExternalId: `oud-50-${run}`,
    rawBrandName: 'Maison Dahab',
    rawProductName: 'Oud 50',
    cost: 1000,
    costIsVatInclusive: true,
    declaredStockQuantity: 12,
  };
  step('The vendor submits an offer, cost entered with VAT');
  const created = payloadOf(await asVendor('POST', path, body), 201, flatOffer);
  expect(created.status === 'PendingMatch', 'it waits for a match');
  expect(
    created.cost === 869.57 && created.inputVatAmount === 130.43,
    '1000.00 is 869.57 + 130.43',
  );

  step('The same call again answers the same offer, and makes no second one');
  const again = payloadOf(await asVendor('POST', path, body), 200, flatOffer);
  expect(again.id === created.id, 'it is the same offer');

  step('A mistake gets a clear error and changes nothing');
  const refused = await asVendor('POST', path, { ...body, cost: 10.005 });
  expectRefusal(refused, 400, 'VALIDATION_ERRORS');
  return created.id;
}

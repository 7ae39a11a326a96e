import { keepCredentials } from './credentials.ts';
import { readDeliveries } from './deliveries.ts';
import { approveFirstOffer } from './first-approval.ts';
import { readHistory } from './history.ts';
import { changeLiveOffer } from './live-offer.ts';
import { moveSecondOffer } from './moves.ts';
import { onboard } from './onboarding.ts';
import { switchAgreement } from './repricing.ts';
import { inspectReturn, leaveToSilence, type SilentReturn } from './returns.ts';
import { reviewAgain } from './second-review.ts';
import { shipOrder } from './shipments.ts';
import type { StoryOptions } from './stage.ts';
import { tryWebhooks } from './webhooks.ts';

/** Where the Temporal UI has the histories of what was played. */
export type StoryEnd = {
  readonly offerWorkflowUrl: string;
  readonly deliveryWorkflowUrl: string;
  /** Of a delivery that took two attempts. */
  readonly retriedDeliveryUrl: string;
  readonly agreementWorkflowUrl: string;
  readonly returnWorkflowUrl: string;
  /** The one that still waits for its deadline. */
  readonly silentReturn: SilentReturn;
};

/**
 * The main job, from a vendor's token to a signed webhook; everything that becomes of offers; an order, from its
 * shipment to its return; and what becomes of a subscription. Rejects at the first step that is off.
 */
export async function playStory(options: StoryOptions): Promise<StoryEnd> {
  const stage = await onboard(options);
  await keepCredentials(stage);
  const first = await approveFirstOffer(stage);
  const deliveryWorkflowUrl = await readDeliveries(stage, first.eventId);
  await changeLiveOffer(stage, first.offerId);
  await reviewAgain(stage, first.offerId);
  const secondOfferId = await moveSecondOffer(stage);
  const agreementWorkflowUrl = await switchAgreement(stage, first.offerId);
  await readHistory(stage, first.offerId, firstStatuses);
  await readHistory(stage, secondOfferId, secondStatuses);
  const delivered = await shipOrder(stage);
  const retried = await tryWebhooks(stage);
  const returnWorkflowUrl = await inspectReturn(stage, delivered);
  const silentReturn = await leaveToSilence(stage, delivered);
  return {
    offerWorkflowUrl: first.workflowUrl,
    deliveryWorkflowUrl,
    retriedDeliveryUrl: retried.workflowUrl,
    agreementWorkflowUrl,
    returnWorkflowUrl,
    silentReturn,
  };
}

const firstStatuses = [
  'PendingMatch',
  'Approved',
  'PendingReview',
  'Rejected',
  'PendingReview',
  'Approved',
  'PendingRepricing',
  'PendingReview',
  'Approved',
];

const secondStatuses = [
  'Draft',
  'PendingReview',
  'Withdrawn',
  'PendingReview',
  'Approved',
  'Suspended',
  'Approved',
  'PendingRepricing',
];

import { switchAgreement } from './agreement-switch.ts';
import { letTimePass } from './clock.ts';
import { createContext, type DemoOptions } from './context.ts';
import { manageCredentials } from './credentials.ts';
import { readFirstDelivery } from './delivery-records.ts';
import { fillGap, readFeed } from './event-feed.ts';
import { runBulkJobs } from './jobs.ts';
import { changeLiveOffer } from './live-offer.ts';
import { moveSecondOffer, readOfferHistory } from './offer-lifecycle.ts';
import { shipOrder } from './orders.ts';
import { inspectReturn, leaveReturnUndecided } from './returns.ts';
import { approveFirstOffer, reviewAgain } from './review.ts';
import { testWebhooks } from './webhooks.ts';

const firstStatuses =
  'PendingMatch → Approved → PendingReview → Rejected → PendingReview → Approved → ' +
  'PendingRepricing → PendingReview → Approved';
const secondStatuses =
  'Draft → PendingReview → Withdrawn → PendingReview → Approved → Suspended → Approved → ' +
  'PendingRepricing';

/**
 * Runs every chapter of the demo in order. Rejects at the first response or event that is wrong.
 * Returns URLs of workflow histories in the Temporal UI.
 */
export async function runDemo(options: DemoOptions) {
  const context = await createContext(options);
  await manageCredentials(context);
  const first = await approveFirstOffer(context);
  const deliveryWorkflowUrl = await readFirstDelivery(context, first.eventId);
  await changeLiveOffer(context, first.offerId);
  await reviewAgain(context, first.offerId);
  const secondOfferId = await moveSecondOffer(context);
  const agreementWorkflowUrl = await switchAgreement(context, first.offerId);
  await readOfferHistory(context, first.offerId, firstStatuses);
  await readOfferHistory(context, secondOfferId, secondStatuses);
  const delivered = await shipOrder(context);
  await fillGap(context);
  const retriedDeliveryUrl = await testWebhooks(context);
  const returnWorkflowUrl = await inspectReturn(context, delivered);
  const undecidedReturn = await leaveReturnUndecided(context, delivered);
  const jobWorkflowUrl = await runBulkJobs(context);
  await readFeed(context, undecidedReturn);
  const clockWorkflowUrl =
    context.environment === 'Sandbox' ? await letTimePass(context, undecidedReturn) : null;
  return {
    offerWorkflowUrl: first.workflowUrl,
    deliveryWorkflowUrl,
    /** Of a delivery with two attempts. */
    retriedDeliveryUrl,
    agreementWorkflowUrl,
    jobWorkflowUrl,
    returnWorkflowUrl,
    undecidedReturn,
    /** Null in Production, where no clock can be advanced. */
    clockWorkflowUrl,
  };
}

import type { WorkflowStartOptions } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import type { DeliveryDetails } from '../domain/messages.ts';
import { durationText } from './duration-text.ts';
import { decisionQueueOf, decisionTaskTimeoutMs, jobQueueOf } from './task-queues.ts';
import type { clockAdvance } from '../workflows/clock/clock-advance.ts';
import type { secretResealing } from '../workflows/maintenance.ts';
import type { agreementSwitch } from '../workflows/offers/agreement-switch.ts';
import type { bulkJob } from '../workflows/jobs/bulk-job.ts';
import { jobPriority, type BulkJobInput } from '../workflows/jobs/bulk-job-messages.ts';
import type { reviewJob } from '../workflows/jobs/review-job.ts';
import type { ReviewJobInput } from '../workflows/jobs/review-job-messages.ts';
import type { offerReview } from '../workflows/offers/offer-review.ts';
import type { returnInspection } from '../workflows/returns/return-inspection.ts';
import type { webhookDelivery } from '../workflows/webhooks/webhook-delivery.ts';
import type { webhookDeliveryBatch } from '../workflows/webhooks/webhook-delivery-batch.ts';
import type { OfferReviewInput } from '../workflows/offers/offer-review-messages.ts';
import type { ReturnInspectionInput } from '../workflows/returns/return-inspection-messages.ts';
import type { WebhookDeliveryInput } from '../workflows/webhooks/webhook-delivery-messages.ts';
import type { WebhookDeliveryBatchInput } from '../workflows/webhooks/webhook-delivery-batch-messages.ts';
import {
  agreementSwitchId,
  bulkJobId,
  clockAdvanceId,
  offerReviewId,
  returnInspectionId,
  reviewJobId,
  webhookDeliveryId,
  webhookDeliveryBatchId,
} from '../workflows/ids.ts';
import { detailsText } from '../workflows/lib/details-text.ts';
import {
  batchIdKey,
  deadLetteredAtKey,
  deliveryStateKey,
  eventIdKey,
  eventTypeKey,
  nextAttemptAtKey,
  offerIdKey,
  returnStateKey,
  reviewStateKey,
  subscriptionIdKey,
  vendorIdKey,
  vendorNameKey,
} from '../workflows/search-attributes.ts';

/**
 * Start options: business id, texts of the Temporal UI, policies for a second start. `taskQueue` is
 * TEMPORAL_TASK_QUEUE.
 */

/** One run at a time for an offer. Another may follow a closed one. */
export const offerReviewStart = (input: OfferReviewInput, taskQueue: string) =>
  ({
    taskQueue: decisionQueueOf(taskQueue),
    workflowTaskTimeout: decisionTaskTimeoutMs,
    workflowId: offerReviewId(input.offerId),
    args: [input],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `Review of offer ${input.offerId}`,
    staticDetails: detailsText([
      `An offer of vendor \`${input.vendorId}\` awaits a reviewer.`,
      `Decide with \`POST /operator/v1/offers/${input.offerId}/approve\` or \`/reject\`; on a ` +
        'staged price with `/pending-price/apply` or `/discard`.',
    ]),
    typedSearchAttributes: new TypedSearchAttributes([
      { key: vendorIdKey, value: input.vendorId },
      { key: offerIdKey, value: input.offerId },
      { key: reviewStateKey, value: 'Starting' },
    ]),
  }) as const satisfies WorkflowStartOptions<typeof offerReview>;

/**
 * One run at a time for a delivery. Another may follow a closed one, for a fresh schedule or after
 * a repeated hand-over; it reads from Postgres what is left.
 */
export const webhookDeliveryStart = (
  input: WebhookDeliveryInput,
  taskQueue: string,
  details?: DeliveryDetails,
) =>
  ({
    taskQueue,
    workflowId: webhookDeliveryId(input.deliveryId),
    args: [input],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: `${input.eventType} to ${
      details === undefined ? `vendor ${input.vendorId}` : shortened(details.vendorName)
    }`,
    staticDetails: detailsText([
      input.ended === undefined
        ? `Delivery \`${input.deliveryId}\`: at most ${input.retryDelaysMs.length + 1} attempts.`
        : `Delivery \`${input.deliveryId}\`: ${input.ended} after attempt ${input.from.attempts}.`,
      ...(details === undefined ? [] : [originText(input.vendorId, details)]),
      'An ended delivery is sent again with `POST ' +
        `/operator/v1/webhook-deliveries/${input.deliveryId}/redeliver\`.`,
    ]),
    typedSearchAttributes: new TypedSearchAttributes([
      { key: vendorIdKey, value: input.vendorId },
      { key: eventTypeKey, value: input.eventType },
      { key: deliveryStateKey, value: input.ended ?? 'waiting' },
      ...(input.ended === undefined
        ? [{ key: nextAttemptAtKey, value: new Date(input.from.dueAt ?? Date.now()) }]
        : []),
      ...(details === undefined ? [] : deliveryAttributes(details)),
    ]),
  }) as const satisfies WorkflowStartOptions<typeof webhookDelivery>;

/** Temporal refuses a summary of more than 400 bytes; a character takes up to four. */
const shortened = (name: string): string => {
  const characters = Array.from(name);
  return characters.length <= 80 ? name : `${characters.slice(0, 79).join('')}…`;
};

const originText = (vendorId: string, { eventId, subscriptionId }: DeliveryDetails): string =>
  `Event \`${eventId}\` to subscription \`${subscriptionId}\` of vendor \`${vendorId}\`.`;

const deliveryAttributes = (details: DeliveryDetails) => [
  { key: vendorNameKey, value: details.vendorName },
  { key: eventIdKey, value: details.eventId },
  { key: subscriptionIdKey, value: details.subscriptionId },
  ...(details.batchId === null ? [] : [{ key: batchIdKey, value: details.batchId }]),
  ...(details.deadLetteredAt === null
    ? []
    : [{ key: deadLetteredAtKey, value: new Date(details.deadLetteredAt) }]),
];

/** One run for a delivery batch. It ends when each delivery has a result or a run of its own. */
export const webhookDeliveryBatchStart = (input: WebhookDeliveryBatchInput, taskQueue: string) =>
  ({
    taskQueue,
    workflowId: webhookDeliveryBatchId(input.batchId),
    args: [input],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'FAIL',
    staticSummary: `First attempts of ${input.size} deliveries`,
    staticDetails: detailsText([
      'A delivery that fails is retried by a run of its own, as is each that the details count ' +
        'as such.',
      `The search \`BatchId = "${input.batchId}"\` lists this run and theirs; \`GET ` +
        `/operator/v1/webhook-deliveries?batchId=${input.batchId}\` lists all deliveries.`,
    ]),
    typedSearchAttributes: new TypedSearchAttributes([{ key: batchIdKey, value: input.batchId }]),
  }) as const satisfies WorkflowStartOptions<typeof webhookDeliveryBatch>;

/** One run at a time for a vendor. Another may follow a closed one. */
export const agreementSwitchStart = (vendorId: string, taskQueue: string) =>
  ({
    taskQueue,
    workflowId: agreementSwitchId(vendorId),
    args: [{ vendorId, done: { offers: 0, supplyOptions: 0 } }],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `Agreement of vendor ${vendorId}`,
    staticDetails: detailsText([
      `Applies the new agreement of vendor \`${vendorId}\` to its offers, in batches.`,
    ]),
    typedSearchAttributes: new TypedSearchAttributes([{ key: vendorIdKey, value: vendorId }]),
  }) as const satisfies WorkflowStartOptions<typeof agreementSwitch>;

/** One run at a time for a vendor. Another may follow a closed one. */
export const clockAdvanceStart = (vendorId: string, taskQueue: string) =>
  ({
    taskQueue,
    workflowId: clockAdvanceId(vendorId),
    args: [{ vendorId, lines: [] }],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `Clock of vendor ${vendorId}`,
    staticDetails: detailsText([
      `Advances the clock of vendor \`${vendorId}\` in a sandbox, from one instant at which ` +
        'something is due to the next.',
    ]),
    typedSearchAttributes: new TypedSearchAttributes([{ key: vendorIdKey, value: vendorId }]),
  }) as const satisfies WorkflowStartOptions<typeof clockAdvance>;

/**
 * One run at a time for a job. Another may follow a terminated one; Postgres knows what is left.
 */
const jobStart = (workflowId: string, ownerId: string, taskQueue: string) =>
  ({
    taskQueue: jobQueueOf(taskQueue),
    workflowId,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    priority: jobPriority(ownerId),
  }) as const;

export const bulkJobStart = (input: BulkJobInput, taskQueue: string) =>
  ({
    ...jobStart(bulkJobId(input.jobId), input.vendorId, taskQueue),
    args: [input],
    staticSummary: `Bulk job of vendor ${input.vendorId}`,
    staticDetails: detailsText([
      `Runs the items of job \`${input.jobId}\` of vendor \`${input.vendorId}\`, in batches. ` +
        "The vendor's other jobs wait for its end.",
      `Cancel it with \`POST /operator/v1/jobs/${input.jobId}/cancel\`. A terminated run is ` +
        'started again by the reconciliation.',
    ]),
    typedSearchAttributes: new TypedSearchAttributes([{ key: vendorIdKey, value: input.vendorId }]),
  }) as const satisfies WorkflowStartOptions<typeof bulkJob>;

export const reviewJobStart = (input: ReviewJobInput, taskQueue: string) =>
  ({
    ...jobStart(reviewJobId(input.jobId), input.operatorId, taskQueue),
    args: [input],
    staticSummary: `Review job ${input.jobId}`,
    staticDetails: detailsText([
      `Decides on the offers of review job \`${input.jobId}\`, in batches. The other review jobs ` +
        'of its operator wait for its end.',
      `Cancel it with \`POST /operator/v1/review-jobs/${input.jobId}/cancel\`. A terminated run ` +
        'is started again by the reconciliation.',
    ]),
  }) as const satisfies WorkflowStartOptions<typeof reviewJob>;

/** One run for a return. A message after the return's end opens a run that ends at once. */
export const returnInspectionStart = (input: ReturnInspectionInput, taskQueue: string) =>
  ({
    taskQueue: decisionQueueOf(taskQueue),
    workflowTaskTimeout: decisionTaskTimeoutMs,
    workflowId: returnInspectionId(input.returnId),
    args: [input],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `Return ${input.returnNumber ?? input.returnId}`,
    staticDetails: detailsText([
      input.vendorId === null
        ? "A return of the service's own goods."
        : `A return of goods of vendor \`${input.vendorId}\`.`,
      input.isForSupplier === false
        ? 'The goods go to a sorting point: nothing happens by time, operators decide.'
        : `The inspection starts automatically ${durationText(input.inspectionStartMs)} after ` +
          `receipt. Its window is ${durationText(input.inspectionWindowMs)}.`,
      `Start it with \`POST /operator/v1/returns/${input.returnId}/start-inspection\`, decide ` +
        'with `/decide`.',
    ]),
    typedSearchAttributes: new TypedSearchAttributes([
      ...(input.vendorId === null ? [] : [{ key: vendorIdKey, value: input.vendorId }]),
      { key: returnStateKey, value: 'Starting' },
    ]),
  }) as const satisfies WorkflowStartOptions<typeof returnInspection>;

/** One run at a time for a gateway. A start while another worker's run is open changes nothing. */
export const secretResealingStart = (taskQueue: string) =>
  ({
    taskQueue,
    workflowId: `${taskQueue}/secret-resealing`,
    args: [],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: 'Seals webhook secrets under the first key of SECRETS_KEY',
  }) as const satisfies WorkflowStartOptions<typeof secretResealing>;

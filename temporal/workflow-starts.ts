import type { WorkflowStartOptions } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { durationText } from './duration-text.ts';
import { decisionQueueOf, decisionTaskTimeoutMs, jobQueueOf } from './task-queues.ts';
import type { clockAdvance } from '../workflows/clock/clock-advance.ts';
import type { secretResealing } from '../workflows/maintenance.ts';
import type { agreementSwitch } from '../workflows/offers/agreement-switch.ts';
import type { bulkJob } from '../workflows/jobs/bulk-job.ts';
import { jobPriority, type BulkJobInput } from '../workflows/jobs/bulk-job-messages.ts';
import type { reviewJob, ReviewJobInput } from '../workflows/jobs/review-job.ts';
import type { offerReview } from '../workflows/offers/offer-review.ts';
import type { returnInspection } from '../workflows/returns/return-inspection.ts';
import type { OfferReviewInput } from '../workflows/offers/offer-review-messages.ts';
import type { ReturnInspectionInput } from '../workflows/returns/return-inspection-messages.ts';
import {
  agreementSwitchId,
  bulkJobId,
  clockAdvanceId,
  offerReviewId,
  returnInspectionId,
  reviewJobId,
} from '../workflows/ids.ts';
import { detailsText } from '../workflows/lib/details-text.ts';
import {
  offerIdKey,
  returnStateKey,
  reviewStateKey,
  vendorIdKey,
} from '../workflows/search-attributes.ts';

/**
 * Start options: business id, texts of the Temporal UI, policies for a second start. `taskQueue` is
 * TEMPORAL_TASK_QUEUE.
 */

/** One run at a time: a start joins the open one. Another may follow a closed one. */
const oneOpenRun = {
  workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  workflowIdConflictPolicy: 'USE_EXISTING',
} as const;

/** One run at a time for an offer. Another may follow a closed one. */
export const offerReviewStart = (input: OfferReviewInput, taskQueue: string) =>
  ({
    taskQueue: decisionQueueOf(taskQueue),
    workflowTaskTimeout: decisionTaskTimeoutMs,
    workflowId: offerReviewId(input.offerId),
    args: [input],
    ...oneOpenRun,
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

/** One run at a time for a vendor. Another may follow a closed one. */
export const agreementSwitchStart = (vendorId: string, taskQueue: string) =>
  ({
    taskQueue,
    workflowId: agreementSwitchId(vendorId),
    args: [{ vendorId, done: { offers: 0, supplyOptions: 0 } }],
    ...oneOpenRun,
    staticSummary: `Agreement of vendor ${vendorId}`,
    staticDetails: detailsText([
      `Applies the new agreement of vendor \`${vendorId}\` to its offers, in batches.`,
    ]),
    typedSearchAttributes: new TypedSearchAttributes([{ key: vendorIdKey, value: vendorId }]),
  }) as const satisfies WorkflowStartOptions<typeof agreementSwitch>;

/** One run at a time for a vendor. Another may follow a closed one. */
export const clockAdvanceStart = (vendorId: string, taskQueue: string) =>
  ({
    // Its steps wait for retries, which would hold up its own tasks in the gateway's queue.
    taskQueue: decisionQueueOf(taskQueue),
    workflowId: clockAdvanceId(vendorId),
    args: [{ vendorId, lines: [], activityQueue: taskQueue }],
    ...oneOpenRun,
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
    ...oneOpenRun,
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
    ...oneOpenRun,
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
    ...oneOpenRun,
    staticSummary: 'Seals webhook secrets under the first key of SECRETS_KEY',
  }) as const satisfies WorkflowStartOptions<typeof secretResealing>;

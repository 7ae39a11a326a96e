import * as v from 'valibot';
import type { NamedReviewJob } from '../../../db/jobs/review-jobs.ts';
import { realTime } from '../../sandbox/vendor-clock.ts';
import { reviewJobActions } from '../../../domain/jobs/review-job.ts';
import { reviewJobId } from '../../../workflows/ids.ts';
import type { Dependencies } from '../../dependencies.ts';
import { offerStatus } from '../../offers/responses/nested-offer.ts';
import { workflowLink, workflowLinkTo } from '../../operator/workflow-link.ts';
import { described } from '../../validation/described.ts';
import { longListItem } from '../../validation/json-schema.ts';
import { enumeration, field, orNull, titled } from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';
import { jobState, progress, progressEntries, resultEntries } from './job.ts';

export const reviewJobResponse = titled('ReviewJob', {
  id: field.id("The job's id.", sample.jobId),
  action: enumeration('ReviewJobAction', reviewJobActions, 'What each item does.', 'apply'),
  reason: field.textOrNull(
    'The reason of each decision; null if it has none.',
    'The new price list was agreed.',
  ),
  operatorId: field.text('The log-in name of its operator.', 'demo-operator'),
  state: jobState,
  ...progressEntries,
  workflow: workflowLinkTo('the job', reviewJobId(sample.jobId)),
});

export function reviewJob(
  job: NamedReviewJob,
  temporalUi: Dependencies['temporalUi'],
): v.InferInput<typeof reviewJobResponse> {
  const { id: jobId, action, reason, operatorName } = job;
  return {
    id: jobId,
    action,
    reason,
    operatorId: operatorName,
    ...progress(job, realTime),
    workflow: workflowLink(reviewJobId(jobId), temporalUi),
  };
}

/** The result of an item: a row of `reviewResults`, with what its offer is. */
export const reviewResultResponse = longListItem(
  titled('ReviewItemResult', {
    ...resultEntries,
    offerStatus: orNull(
      offerStatus,
      "The offer's status afterwards; null on an error.",
      'Approved',
    ),
    productName: field.textOrNull(
      "What the offer is, by its vendor's words or else its match; null without an offer.",
      'Oud Royal',
    ),
    vendorName: field.textOrNull("The name of the offer's vendor; null without one.", 'Oud'),
    reviewVersion: field.integerOrNull(
      "The offer's `reviewVersion` afterwards; null on an error.",
      4,
    ),
    details: described(
      v.record(v.string(), v.unknown()),
      'The details of the single call, with at most 10 `errors`.',
      {},
    ),
  }),
);

import * as v from 'valibot';
import type { NamedReviewJob, ReviewResult } from '../../../db/jobs/review-jobs.ts';
import { reviewJobActions } from '../../../domain/jobs/review-job.ts';
import { reviewJobId } from '../../../workflows/ids.ts';
import type { Dependencies } from '../../dependencies.ts';
import { offerStatus } from '../../offers/responses/nested-offer.ts';
import { workflowLink, workflowLinkTo } from '../../operator/workflow-link.ts';
import { described } from '../../validation/described.ts';
import { longListItem } from '../../validation/json-schema.ts';
import {
  enumeration,
  id,
  integer,
  orNull,
  textOrNull,
  titled,
} from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';
import { jobState, progress, progressEntries } from './job.ts';

/** A review job. */
export const reviewJobResponse = titled('ReviewJob', {
  id: described(id, "The job's id.", sample.jobId),
  action: enumeration('ReviewJobAction', reviewJobActions, 'What each item does.', 'apply'),
  reason: described(
    textOrNull,
    'The reason of each decision; null if it has none.',
    'The new price list was agreed.',
  ),
  operatorId: described(v.string(), 'The log-in name of its operator.', 'demo-operator'),
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
    ...progress(job),
    workflow: workflowLink(reviewJobId(jobId), temporalUi),
  };
}

/** The result of an item. */
export const reviewResultResponse = longListItem(
  titled('ReviewItemResult', {
    index: described(integer, 'The position of the item in the job, counted from 0.', 0),
    httpStatus: described(integer, 'The status that the single call would answer.', 200),
    state: described(v.string(), '`SUCCESS`, or the error code of the single call.', 'SUCCESS'),
    offerId: described(orNull(id), "The offer's id; null if the item has none.", sample.offerId),
    offerStatus: described(
      orNull(offerStatus),
      "The offer's status afterwards; null on an error.",
      'Approved',
    ),
    reviewVersion: described(
      orNull(integer),
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

/** Named as in the answer. */
export const reviewResult = ({
  index,
  httpStatus,
  state,
  offerId,
  offerStatus: status,
  reviewVersion,
  details,
}: ReviewResult): v.InferInput<typeof reviewResultResponse> => ({
  index,
  httpStatus,
  state,
  offerId,
  offerStatus: status,
  reviewVersion,
  details,
});

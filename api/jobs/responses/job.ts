import * as v from 'valibot';
import type { Job, Progress } from '../../../db/jobs/job-row.ts';
import { cancelReasons, jobKinds, jobStates } from '../../../domain/jobs/job.ts';
import { bulkJobId } from '../../../workflows/ids.ts';
import type { Dependencies } from '../../dependencies.ts';
import { workflowLink, workflowLinkTo } from '../../operator/workflow-link.ts';
import { realTime, type VendorClock } from '../../sandbox/vendor-clock.ts';
import { described, describeValues } from '../../validation/described.ts';
import { longListItem } from '../../validation/json-schema.ts';
import { enumeration, field, orNull, titled, vendorId } from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';

export const jobState = enumeration(
  'JobState',
  jobStates,
  describeValues('The state of a job.', {
    Queued: 'It waits, because another job of yours comes first.',
    Running: 'Its items run in batches.',
    Finished: 'Each item has its result.',
    Cancelled: 'A call or the gateway cancelled it. Items that had run stay as they are.',
  }),
  'Running',
);

/** How far a job of any kind has come, in a response; beside its `state`. */
export const progressEntries = {
  counts: described(
    titled('JobCounts', {
      accepted: field.integer('The items of the job.', 10000),
      done: field.integer('Items with the state `SUCCESS`.', 4200),
      failed: field.integer('Items that ended with an error.', 50),
      remaining: field.integer('Items that have not run.', 5750),
    }),
    'How many items are in which state.',
  ),
  createdAt: field.instant('When the job was accepted, in UTC.'),
  startedAt: field.instantOrNull('When its first batch ran; null before.'),
  endedAt: field.instantOrNull('When it finished or was cancelled; null before.', null),
  estimatedEndAt: field.instantOrNull('The estimated time of its end; null unless it is running.'),
};

const jobEntries = {
  id: field.id("The job's id.", sample.jobId),
  kind: enumeration('JobKind', jobKinds, 'What each item is.', 'pushCosts'),
  state: jobState,
  validateOnly: field.flag('Whether the items only show what they would return.', false),
  revertsJobId: field.idOrNull('The job whose changes this one restores; else null.', null),
  details: described(
    titled('JobDetails', {
      reason: orNull(
        v.picklist(cancelReasons),
        'Why the gateway cancelled the job: the credential that started it, or its vendor, is no ' +
          'longer active. Otherwise null.',
        null,
      ),
    }),
    'More about the end of the job.',
  ),
  ...progressEntries,
};

/** A job as its vendor reads it. */
export const jobResponse = titled('Job', jobEntries);

/** The time at which a running job ends if its items continue at the same pace. */
function estimatedEnd({ state, startedAt, ...job }: Progress, now: number): Date | null {
  const endedCount = job.doneCount + job.failedCount;
  if (state !== 'Running' || startedAt === null || endedCount === 0) return null;
  const tookMs = Math.max(0, now - startedAt.getTime());
  return new Date(now + (tookMs / endedCount) * (job.itemCount - endedCount));
}

/** The values of {@link progressEntries}, and the state. */
export function progress(job: Progress, { shown }: VendorClock) {
  const { state, itemCount, doneCount, failedCount } = job;
  const estimatedEndAt = estimatedEnd(job, Date.now());
  return {
    state,
    counts: {
      accepted: itemCount,
      done: doneCount,
      failed: failedCount,
      remaining: itemCount - doneCount - failedCount,
    },
    createdAt: shown(job.createdAt),
    startedAt: job.startedAt && shown(job.startedAt),
    endedAt: job.endedAt && shown(job.endedAt),
    estimatedEndAt: estimatedEndAt && shown(estimatedEndAt),
  };
}

export function vendorJob(job: Job, clock: VendorClock): v.InferInput<typeof jobResponse> {
  const { id, kind, validateOnly, revertsId, cancelReason } = job;
  const details = { reason: cancelReason };
  return { id, kind, validateOnly, revertsJobId: revertsId, details, ...progress(job, clock) };
}

/** A job as operators read it. */
export const operatorJobResponse = titled('OperatorJob', {
  ...jobEntries,
  vendorId,
  workflow: workflowLinkTo('the job', bulkJobId(sample.jobId)),
});

export const operatorJob = (
  job: Job,
  temporalUi: Dependencies['temporalUi'],
): v.InferInput<typeof operatorJobResponse> => ({
  ...vendorJob(job, realTime),
  vendorId: job.vendorId,
  workflow: workflowLink(bulkJobId(job.id), temporalUi),
});

const ofNoOffer = 'null if the item has none.';

/** What the results of every kind of job begin with. */
export const resultEntries = {
  index: field.integer('The position of the item in the job, counted from 0.', 0),
  httpStatus: field.integer('The status that the single call would return.', 200),
  state: field.text('`SUCCESS`, or the error code of the single call.', 'SUCCESS'),
  offerId: field.idOrNull(`The offer's id; ${ofNoOffer}`, sample.offerId),
};

/** The result of an item, which is a row of `jobResults`. */
export const jobResultResponse = longListItem(
  titled('JobItemResult', {
    ...resultEntries,
    vendorExternalId: field.textOrNull(
      `The offer's \`vendorExternalId\`; ${ofNoOffer}`,
      sample.vendorExternalId,
    ),
    version: field.integerOrNull("The offer's version afterwards; null on an error.", 8),
    details: described(
      v.record(v.string(), v.unknown()),
      'The details of the single call, with at most 10 `errors`. `existing`: a create found the ' +
        'offer. `nothingToRestore`: the item of the reverted job changed nothing.',
      {},
    ),
  }),
);

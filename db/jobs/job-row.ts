import type { CancelReason, JobKind, JobState } from '../../domain/jobs/job.ts';
import type { ReviewJobAction } from '../../domain/jobs/review-job.ts';
import { columnsOf, type RowOf } from '../core/columns.ts';

const progressTypes = {
  state: 'text',
  itemCount: 'integer',
  /** Items that succeeded. */
  doneCount: 'integer',
  failedCount: 'integer',
  createdAt: 'timestamptz',
  startedAt: 'timestamptz?',
  endedAt: 'timestamptz?',
} as const;
const jobTypes = {
  id: 'uuid',
  vendorId: 'uuid',
  /** That started it; null for a job of an earlier version. */
  credentialId: 'uuid?',
  kind: 'text',
  revertsId: 'uuid?',
  validateOnly: 'boolean',
  /** Null where a call cancelled the job. */
  cancelReason: 'text?',
  ...progressTypes,
} as const;
const reviewJobTypes = {
  id: 'uuid',
  operatorId: 'uuid',
  action: 'text',
  reason: 'text?',
  requestId: 'text',
  ...progressTypes,
} as const;

/** How far a job of any kind has come. */
export type Progress = RowOf<typeof progressTypes, { state: JobState }>;

/** A bulk job. */
export type Job = RowOf<
  typeof jobTypes,
  { kind: JobKind; state: JobState; cancelReason: CancelReason | null }
>;
export const jobColumns = columnsOf<Job>('bulk_jobs', jobTypes);

export type ReviewJob = RowOf<typeof reviewJobTypes, { action: ReviewJobAction; state: JobState }>;
export const reviewJobColumns = columnsOf<ReviewJob>('review_jobs', reviewJobTypes);

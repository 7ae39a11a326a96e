import type { JobKind, JobState } from '../../domain/jobs/job.ts';
import { columnsOf, type RowOf } from '../core/columns.ts';

const jobTypes = {
  id: 'uuid',
  vendorId: 'uuid',
  kind: 'text',
  revertsId: 'uuid?',
  validateOnly: 'boolean',
  state: 'text',
  itemCount: 'integer',
  /** Items that succeeded. */
  doneCount: 'integer',
  failedCount: 'integer',
  createdAt: 'timestamptz',
  startedAt: 'timestamptz?',
  endedAt: 'timestamptz?',
} as const;

/** A bulk job. */
export type Job = RowOf<typeof jobTypes, { kind: JobKind; state: JobState }>;
export const jobColumns = columnsOf<Job>('bulk_jobs', jobTypes);

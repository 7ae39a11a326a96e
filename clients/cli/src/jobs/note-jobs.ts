import type { Output } from '../core/output.ts';
import type { Journal } from './journal.ts';

/** Names the jobs of a plan. They can be reverted, and outlast this program. */
export function noteJobs(output: Output, journal: Journal): void {
  for (const { jobId, kind, rows } of journal.plan().jobs)
    if (jobId !== null) output.note(`job ${jobId}  ${kind}  ${rows.length} rows`);
}

/** Says that this command continues an earlier one. */
export function noteResumption(output: Output, journal: Journal): void {
  const { startedAt, jobs } = journal.plan();
  const accepted = jobs.filter(({ jobId }) => jobId !== null).length;
  output.note(
    `Continuing the run of ${startedAt}: ${accepted} of ${jobs.length} jobs were accepted.`,
  );
}

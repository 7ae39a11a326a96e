import { exitCodes, type ExitCode } from '../core/exit.ts';
import { reportFailures, type RowFailure } from '../core/failures.ts';
import type { Output } from '../core/output.ts';

/** How an import ended. `left` rows are not known to be done. */
export type ImportSummary = {
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly left: number;
  readonly failures: readonly RowFailure[];
  readonly dryRun: boolean;
  /** The ids of its jobs. */
  readonly jobs?: readonly string[];
};

/** Prints the table of failures and the counts. */
export function reportImport(
  output: Output,
  { failures, jobs = [], ...counts }: ImportSummary,
): ExitCode {
  reportFailures(output, failures);
  const { created, updated, skipped, left, dryRun } = counts;
  const failed = failures.length;
  const rest = left === 0 ? '' : `, ${left} not done: run the command again to continue`;
  const text = dryRun
    ? `Would create ${created}, update ${updated}, skip ${skipped}; ${failed} failed.`
    : `Created ${created}, updated ${updated}, skipped ${skipped}, failed ${failed}${rest}.`;
  const named = jobs.length === 0 ? {} : { jobs };
  output.result({ summary: { ...counts, failed, ...named } }, text);
  return failed + left > 0 ? exitCodes.failed : exitCodes.ok;
}

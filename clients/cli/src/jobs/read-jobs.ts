import type { Job, JobFilters, JobItemResult } from 'vendor-gateway-client';
import type { CommonArguments, Context } from '../core/command.ts';
import { exitCodes, type ExitCode } from '../core/exit.ts';
import { reasonsOf } from '../core/explain.ts';
import { inLine, tableOf } from '../core/output.ts';
import { resultsIn } from './chunks.ts';

/** A command on one job. */
export type JobArguments = CommonArguments & { readonly id: string };

const header = ['JOB', 'KIND', 'STATE', 'ACCEPTED', 'DONE', 'FAILED', 'REMAINING', 'CREATED'];
function rowOf({ id, kind, state, validateOnly, counts, createdAt }: Job) {
  const { accepted, done, failed, remaining } = counts;
  const named = validateOnly ? `${kind} (validates)` : kind;
  return [id, named, state, accepted, done, failed, remaining, createdAt];
}

type ListArguments = CommonArguments & {
  readonly kind: JobFilters['kind'];
  readonly state: JobFilters['state'];
  readonly limit: number;
};

/** `jobs list`: the newest first. */
export async function listJobs(
  { kind, state, limit }: ListArguments,
  { output, signal, connect }: Context,
): Promise<ExitCode> {
  const { client } = await connect();
  const filters = { ...(kind && { kind }), ...(state && { state }), pageSize: 100 };
  const jobs: Job[] = [];
  for await (const job of client.jobs.list(filters, { signal })) {
    if (jobs.length >= limit) break;
    jobs.push(job);
  }
  if (output.isJson) for (const job of jobs) output.result(job, null);
  else if (jobs.length === 0) output.note('There are no such jobs.');
  else output.result({}, tableOf(header, jobs.map(rowOf)));
  return exitCodes.ok;
}

/** `jobs show`: all that is known of a job. */
export async function showJob(
  { id }: JobArguments,
  { output, signal, connect }: Context,
): Promise<ExitCode> {
  const { client } = await connect();
  const job = await client.jobs.get(id, { signal });
  const { counts, details, ...rest } = job;
  const lines = Object.entries({ ...rest, ...details, ...counts }).map(
    ([name, value]) => `${name.padEnd(16)}${inLine(String(value ?? '-'))}`,
  );
  output.result(job, lines.join('\n'));
  return exitCodes.ok;
}

/** `jobs cancel`: what has run stays. */
export async function cancelJob(
  { id }: JobArguments,
  { output, signal, connect }: Context,
): Promise<ExitCode> {
  const { client } = await connect();
  const job = await client.jobs.cancel(id, { signal });
  const { done, failed, remaining } = job.counts;
  output.result(job, `Cancelled: ${done} done, ${failed} failed, ${remaining} did not run.`);
  return exitCodes.ok;
}

const resultHeader = ['ITEM', 'STATUS', 'OFFER', 'FIELD', 'CODE', 'MESSAGE'];

/** Results as a table, in which the reasons of an item are lines of their own. */
export function resultTable(results: readonly JobItemResult[]): string {
  const rows = results.flatMap((result) => {
    const { index, httpStatus, state, details, offerId, vendorExternalId } = result;
    const named = [index, httpStatus, vendorExternalId ?? offerId];
    if (state === 'SUCCESS') return [[...named, null, null, null]];
    return reasonsOf(state, details).map(({ field, code, message }) => [
      ...named,
      field,
      code,
      message,
    ]);
  });
  return tableOf(resultHeader, rows);
}

type ResultArguments = JobArguments & {
  readonly failed: boolean;
  readonly format: 'csv' | undefined;
};

/** `jobs results`: what became of each item that has run. */
export async function printResults(
  { id, failed, format }: ResultArguments,
  { output, signal, connect }: Context,
): Promise<ExitCode> {
  const { client } = await connect();
  const only = failed ? { failed } : {};
  const file = await client.jobs.resultsFile(id, only, { signal });
  if (format !== undefined && !output.isJson) {
    output.file(file);
    return exitCodes.ok;
  }
  const results = resultsIn(file);
  if (output.isJson) for (const result of results) output.result(result, null);
  else if (results.length === 0) output.note(failed ? 'No item has failed.' : 'No item has run.');
  else output.result({}, resultTable(results));
  return exitCodes.ok;
}

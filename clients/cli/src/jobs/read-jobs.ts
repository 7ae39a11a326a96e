import type { Argv } from 'yargs';
import type { Job, JobItemResult } from 'vendor-gateway-client';
import { calling, factsOf, limitOption, listing } from '../core/calling.ts';
import type { CommonArguments, Context, Run } from '../core/command.ts';
import { reasonsOf } from '../core/explain.ts';
import { tableOf } from '../core/output.ts';
import { flag, required } from '../core/option-kinds.ts';
import { resultsIn } from './chunks.ts';

/** A command on one job. */
export type JobArguments = CommonArguments & { readonly id: string };

const header = ['JOB', 'KIND', 'STATE', 'ACCEPTED', 'DONE', 'FAILED', 'REMAINING', 'CREATED'];
function rowOf({ id, kind, state, validateOnly, revertsJobId, counts, createdAt }: Job) {
  const { accepted, done, failed, remaining } = counts;
  const marks = [
    ...(revertsJobId === null ? [] : ['reverts']),
    ...(validateOnly ? ['validates'] : []),
  ];
  const named = marks.length === 0 ? kind : `${kind} (${marks.join(', ')})`;
  return [id, named, state, accepted, done, failed, remaining, createdAt];
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
async function printResults(
  { id, failed, format }: ResultArguments,
  { output, signal, connect }: Context,
): Promise<void> {
  const { client } = await connect();
  const only = failed ? { failed } : {};
  const file = await client.jobs.resultsFile(id, only, { signal });
  if (format !== undefined && !output.isJson) {
    output.file(file);
    return;
  }
  const results = resultsIn(file);
  if (output.isJson) for (const result of results) output.result(result, null);
  else if (results.length === 0) output.note(failed ? 'No item has failed.' : 'No item has run.');
  else output.result({}, resultTable(results));
}

/** What names a job. */
export const jobId = required('The id of a job');
const kinds = [
  'createOffers',
  'updateOffers',
  'pushCosts',
  'pushSalePrices',
  'pushStocks',
] as const;
const states = ['Queued', 'Running', 'Finished', 'Cancelled'] as const;

/** `jobs list`, `jobs show` and `jobs results`. */
export const addJobReads = (jobs: Argv<CommonArguments>, run: Run): Argv<CommonArguments> =>
  jobs
    .command(
      'list',
      'List jobs, the newest first',
      (command) =>
        command
          .option('kind', { choices: kinds, describe: 'Only jobs of this kind' })
          .option('state', { choices: states, describe: 'Only jobs in this state' })
          .option('limit', { ...limitOption, describe: 'The most jobs to list' })
          .example('$0 jobs list --state Running', 'The job that runs now'),
      run(
        listing(
          (client, { kind, state }, options) =>
            client.jobs.list({ ...(kind && { kind }), ...(state && { state }) }, options),
          { header, rowOf, none: 'There are no such jobs.' },
        ),
        'reads',
      ),
    )
    .command(
      'show <id>',
      'Show a job',
      (command) =>
        command.positional('id', jobId).example('$0 jobs show ID', 'Its state and its counts'),
      run(
        calling(
          (client, { id }, options) => client.jobs.get(id, options),
          ({ counts, details, ...rest }) => factsOf({ ...rest, ...details, ...counts }, 16),
        ),
        'reads',
      ),
    )
    .command(
      'results <id>',
      'List what became of the items that have run',
      (command) =>
        command
          .usage('$0 jobs results <id>\n\nItems are counted from 0, in the order of the job.')
          .positional('id', jobId)
          .option('failed', flag('Only items that failed'))
          .option('format', {
            choices: ['csv'] as const,
            describe: 'Print the file of the gateway',
          })
          .example('$0 jobs results ID --failed', 'What to correct'),
      run(printResults, 'reads'),
    );

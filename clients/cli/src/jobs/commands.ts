import type { Argv } from 'yargs';
import type { CommonArguments, Run } from '../core/command.ts';
import { cancelJob, listJobs, printResults, showJob } from './read-jobs.ts';
import { revertJob } from './revert-job.ts';
import { watchJob } from './watch-job.ts';

const idOption = { type: 'string', demandOption: true, describe: 'The id of a job' } as const;
const kinds = [
  'createOffers',
  'updateOffers',
  'pushCosts',
  'pushSalePrices',
  'pushStocks',
] as const;
const states = ['Queued', 'Running', 'Finished', 'Cancelled'] as const;

function addReads(jobs: Argv<CommonArguments>, run: Run): Argv<CommonArguments> {
  return jobs
    .command(
      'list',
      'List jobs, the newest first',
      (command) =>
        command
          .option('kind', { choices: kinds, describe: 'Only jobs of this kind' })
          .option('state', { choices: states, describe: 'Only jobs in this state' })
          .option('limit', { type: 'number', default: 20, describe: 'The most jobs to list' })
          .example('$0 jobs list --state Running', 'The job that runs now'),
      run(listJobs, 'reads'),
    )
    .command(
      'show <id>',
      'Show a job',
      (command) =>
        command.positional('id', idOption).example('$0 jobs show ID', 'Its state and its counts'),
      run(showJob, 'reads'),
    )
    .command(
      'results <id>',
      'List what became of the items that have run',
      (command) =>
        command
          .usage('$0 jobs results <id>\n\nItems are counted from 0, in the order of the job.')
          .positional('id', idOption)
          .option('failed', {
            type: 'boolean',
            default: false,
            describe: 'Only items that failed',
          })
          .option('format', {
            choices: ['csv'] as const,
            describe: 'Print the file of the gateway',
          })
          .example('$0 jobs results ID --failed', 'What to correct'),
      run(printResults, 'reads'),
    );
}

/** `jobs`. */
export function addJobCommands(cli: Argv<CommonArguments>, run: Run): void {
  cli.command('jobs', 'Follow, cancel and revert bulk jobs', (jobs) =>
    addReads(jobs, run)
      .command(
        'watch <id>',
        'Show the progress of a job until it has ended',
        (command) =>
          command.positional('id', idOption).example('$0 jobs watch ID', 'Ends with the job'),
        run(watchJob, 'reads'),
      )
      .command(
        'cancel <id>',
        'Stop a job; what has run stays',
        (command) =>
          command.positional('id', idOption).example('$0 jobs cancel ID', 'No further item runs'),
        run(cancelJob),
      )
      .command(
        'revert <id>',
        'Restore what a job changed, and report what stays',
        (command) =>
          command
            .usage(
              '$0 jobs revert <id>\n\nRestores what an ended job changed, unless it has changed ' +
                'since, and waits for the end. Run it again to see the report again.',
            )
            .positional('id', idOption)
            .option('dry-run', {
              type: 'boolean',
              default: false,
              describe: 'Show what would be restored, and restore nothing',
            })
            .example('$0 jobs revert ID --dry-run', 'Shows what would stay'),
        run(revertJob),
      )
      .demandCommand(1, 'Name a command of jobs; --help lists them')
      .example('$0 jobs list', 'Your latest jobs'),
  );
}

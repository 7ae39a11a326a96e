import type { Argv } from 'yargs';
import { calling } from '../core/calling.ts';
import type { CommonArguments, Run } from '../core/command.ts';
import { flag } from '../core/option-kinds.ts';
import { addJobReads, jobId } from './read-jobs.ts';
import { revertJob } from './revert-job.ts';
import { watchJob } from './watch-job.ts';

/** `jobs`. */
export function addJobCommands(cli: Argv<CommonArguments>, run: Run): void {
  cli.command('jobs', 'Follow, cancel and revert bulk jobs', (jobs) =>
    addJobReads(jobs, run)
      .command(
        'watch <id>',
        'Show the progress of a job until it has ended',
        (command) =>
          command.positional('id', jobId).example('$0 jobs watch ID', 'Ends with the job'),
        run(watchJob, 'reads'),
      )
      .command(
        'cancel <id>',
        'Stop a job; what has run stays',
        (command) =>
          command.positional('id', jobId).example('$0 jobs cancel ID', 'No further item runs'),
        run(
          calling(
            (client, { id }, options) => client.jobs.cancel(id, options),
            ({ counts: { done, failed, remaining } }) =>
              `Cancelled: ${done} done, ${failed} failed, ${remaining} did not run.`,
          ),
        ),
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
            .positional('id', jobId)
            .option('dry-run', flag('Show what would be restored, and restore nothing'))
            .example('$0 jobs revert ID --dry-run', 'Shows what would stay'),
        run(revertJob),
      )
      .demandCommand(1, 'Name a command of jobs; --help lists them')
      .example('$0 jobs list', 'Your latest jobs'),
  );
}

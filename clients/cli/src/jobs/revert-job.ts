import type { Context } from '../core/command.ts';
import { exitCodes, type ExitCode } from '../core/exit.ts';
import { resultsIn } from './chunks.ts';
import { resultTable, type JobArguments } from './read-jobs.ts';
import { waitForJob } from './watch-job.ts';

type Arguments = JobArguments & { readonly dryRun: boolean };

/** `jobs revert`: restores what a job changed, waits for the end, and reports what stays. */
export async function revertJob({ id, dryRun }: Arguments, context: Context): Promise<ExitCode> {
  const { output, signal, connect } = context;
  const { client } = await connect();
  const { id: revertId } = await client.jobs.revert(id, { validateOnly: dryRun, signal });
  output.note(`job ${revertId} ${dryRun ? 'tries to revert' : 'reverts'} job ${id}`);
  const { counts } = await waitForJob(client, revertId, context);
  const file = await client.jobs.resultsFile(revertId, {}, { signal });
  const all = resultsIn(file);
  const notRestored = all.filter(({ state }) => state !== 'SUCCESS');
  const unchanged = all.filter(({ details }) => details['nothingToRestore'] === true).length;
  const restored = counts.done - unchanged;
  if (output.isJson) for (const result of notRestored) output.result(result, null);
  else if (notRestored.length > 0) output.result({}, resultTable(notRestored));
  const left = counts.remaining;
  const summary = { restored, unchanged, notRestored: notRestored.length, left, dryRun };
  output.result(
    { summary: { ...summary, jobId: revertId } },
    `${dryRun ? 'Would restore' : 'Restored'} ${restored}, not restored ${notRestored.length}, ` +
      `nothing to restore ${unchanged}${left === 0 ? '' : `, ${left} did not run`}.`,
  );
  return notRestored.length + left > 0 ? exitCodes.failed : exitCodes.ok;
}

import type { Job, VendorClient } from 'vendor-gateway-client';
import type { Context } from '../core/command.ts';
import { exitCodes, type ExitCode } from '../core/exit.ts';
import { programOf } from '../core/environment.ts';
import { startProgress } from '../core/progress.ts';
import type { JobArguments } from './read-jobs.ts';

const timeOf = (instant: string): string => instant.slice(11, 19);

function lineOf({ state, counts, details: { reason }, estimatedEndAt }: Job): string {
  const { accepted, done, failed } = counts;
  const end = estimatedEndAt === null ? '' : `, ends about ${timeOf(estimatedEndAt)} UTC`;
  const shown = reason === null ? state : `${state} (${reason})`;
  return `${shown}: ${done + failed} of ${accepted}, ${done} done, ${failed} failed${end}`;
}

/** The job when it has ended; shows its steps meanwhile, as a bar or as lines. */
export async function waitForJob(
  client: VendorClient,
  id: string,
  { output, environment, signal }: Pick<Context, 'output' | 'environment' | 'signal'>,
): Promise<Job> {
  const first = await client.jobs.get(id, { signal });
  const progress = startProgress(output, first.counts.accepted);
  const onProgress = (job: Job): void => {
    progress.show(job.counts);
    if (output.terminal === null && job.endedAt === null) output.result(job, lineOf(job));
  };
  try {
    return await client.jobs.wait(id, { onProgress, signal });
  } catch (error) {
    if (signal.aborted)
      output.note(`The job continues. ${programOf(environment)} jobs cancel ${id} stops it.`);
    throw error;
  } finally {
    progress.end();
  }
}

/** `jobs watch`: until the job has ended. */
export async function watchJob({ id }: JobArguments, context: Context): Promise<ExitCode> {
  const { output, environment, connect } = context;
  const { client } = await connect();
  const job = await waitForJob(client, id, context);
  output.result(job, lineOf(job));
  const { failed, remaining } = job.counts;
  if (failed > 0)
    output.note(`${programOf(environment)} jobs results ${id} --failed lists the failures.`);
  return failed + remaining > 0 ? exitCodes.failed : exitCodes.ok;
}

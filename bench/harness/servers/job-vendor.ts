import * as v from 'valibot';
import { forkProgram } from '../fork-program.ts';

/** A job of a vendor: the `body` is NDJSON. */
export const jobTask = v.object({
  origin: v.string(),
  token: v.string(),
  kind: v.string(),
  body: v.string(),
});
export type JobTask = v.InferOutput<typeof jobTask>;

/**
 * A vendor with bulk jobs, in a process of its own: to send 10,000 items blocks the event loop that
 * measures the calls of another vendor.
 */
export async function startJobVendor() {
  const { heard, ask, stop } = forkProgram(new URL('job-vendor-process.ts', import.meta.url));
  await heard();
  return {
    /** Hands a job to the process. The function starts the job, and returns its items that are done. */
    prepare: async (task: JobTask): Promise<() => Promise<number>> => {
      await ask(task);
      return async () => v.parse(v.number(), await ask({}));
    },
    stop,
  };
}

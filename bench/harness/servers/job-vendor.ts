import { forkProgram } from '../fork-program.ts';

/** A job of a vendor: the `body` is the list of its items as JSON. */
export type JobTask = {
  readonly origin: string;
  readonly token: string;
  readonly kind: string;
  readonly body: string;
};

/** `prepare` hands a job over; `run` starts it, and asks for the number of items that are done. */
export type JobQuestion =
  { readonly ask: 'prepare'; readonly task: JobTask } | { readonly ask: 'run' };

/**
 * A vendor with bulk jobs, in a process of its own: to send 10,000 items blocks the event loop that
 * measures the calls of another vendor.
 */
export function startJobVendor() {
  const file = new URL('job-vendor-process.ts', import.meta.url);
  const { ask, stop } = forkProgram<JobQuestion, number>(file);
  return {
    /** Hands a job to the process. The function starts the job, and returns its items that are done. */
    prepare: async (task: JobTask): Promise<() => Promise<number>> => {
      await ask({ ask: 'prepare', task });
      return () => ask({ ask: 'run' });
    },
    stop,
  };
}

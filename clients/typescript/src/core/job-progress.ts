import { delay } from './send.ts';

/** What {@link followJob} needs of a job. */
type Followed = {
  readonly state: string;
  readonly endedAt: string | null;
  readonly estimatedEndAt: string | null;
  readonly counts: { readonly done: number; readonly failed: number };
};

const shortestMs = 500;
const longestMs = 5000;

/** A tenth of the time that is left, so that a long job costs few reads and a short one no wait. */
function pauseMsAfter({ estimatedEndAt }: Followed): number {
  const leftMs = estimatedEndAt === null ? 0 : Date.parse(estimatedEndAt) - Date.now();
  return Math.min(longestMs, Math.max(shortestMs, leftMs / 10));
}

const stepOf = ({ state, counts }: Followed): string => `${state} ${counts.done} ${counts.failed}`;

/** Reads a job until it has ended, and gives each of its steps once, the end included. */
export async function* followJob<TJob extends Followed>(
  read: () => Promise<TJob>,
  signal: AbortSignal = new AbortController().signal,
): AsyncGenerator<TJob, void, undefined> {
  let earlier = '';
  for (;;) {
    const job = await read();
    const step = stepOf(job);
    if (step !== earlier) yield job;
    earlier = step;
    // By the time and not by the state: a later version may have other states.
    if (job.endedAt !== null) return;
    await delay(pauseMsAfter(job), signal);
  }
}

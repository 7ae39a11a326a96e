import { createRests, type Rest } from '../../commands/jobs/rests.ts';

/** The part of the time in which the gateway works on a large body or answer. */
const workPercent = 20;
/** The longest rest, after 10 ms of work. A job of 10,000 items has some 400 rests. */
const restMaxMs = 40;

/** The rest after so much work, without a longest one. */
export const restMsAfter = (workMs: number): number => workMs * (100 / workPercent - 1);

/** The rests of a call with a large body or answer, in which other calls have the processors. */
export const largeCallRests = (): Rest => createRests(workPercent, restMaxMs);

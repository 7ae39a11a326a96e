import { createPauses, type Pause } from '../../commands/jobs/pauses.ts';

/** The part of the time in which the gateway works on a large body or response. */
const workPercent = 20;
/** The longest pause, after 10 ms of work. A job of 10,000 items has some 400 pauses. */
const pauseMaxMs = 40;

/** The pause after this work, however long. */
export const pauseMsAfter = (workMs: number): number => workMs * (100 / workPercent - 1);

/** The pauses of a call with a large body or response, in which other calls have the processors. */
export const largeCallPauses = (): Pause => createPauses(workPercent, pauseMaxMs);

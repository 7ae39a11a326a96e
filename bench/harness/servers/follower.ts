import { forkProgram } from '../fork-program.ts';

/** The vendor whose offers follow its agreement, in batches of at most `limit`. */
export type FollowTask = {
  readonly databaseUrl: string;
  readonly vendorId: string;
  readonly limit: number;
};
/** One batch, and how long it took. */
export type FollowedBatch = {
  readonly ms: number;
  readonly offers: number;
  readonly supplyOptions: number;
};

/** As the workflow has it (`workflows/offers/agreement-switch.ts`). */
const batchSize = 500;

/**
 * Lets every offer of a vendor follow its agreement, in a process of its own, as the worker is one.
 */
export async function followAgreement(
  databaseUrl: string,
  vendorId: string,
): Promise<readonly FollowedBatch[]> {
  const file = new URL('follower-process.ts', import.meta.url);
  const { ask, stop } = forkProgram<FollowTask, readonly FollowedBatch[]>(file);
  return ask({ databaseUrl, vendorId, limit: batchSize }).finally(stop);
}

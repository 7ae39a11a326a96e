import * as v from 'valibot';
import type { AgreementBatch } from '../../workflows/offers/agreement-switch-messages.ts';
import { forkProgram } from './fork-program.ts';

const task = v.object({ databaseUrl: v.string(), vendorId: v.string(), limit: v.number() });
const followed = v.array(
  v.object({ ms: v.number(), offers: v.number(), supplyOptions: v.number() }),
);
/** One batch, and how long it took. */
export type FollowedBatch = v.InferOutput<typeof followed>[number];

/** As the workflow has it (`workflows/offers/agreement-switch.ts`). */
const batchSize = 500;
const file = new URL('../reviews/agreement-follower.ts', import.meta.url);

/**
 * Lets every offer of a vendor follow its agreement, in a process of its own, as the worker is one.
 */
export async function followAgreement(
  databaseUrl: string,
  vendorId: string,
): Promise<readonly FollowedBatch[]> {
  const given = JSON.stringify({ databaseUrl, vendorId, limit: batchSize });
  return v.parse(followed, await forkProgram(file, [given]).heard());
}

/** The task of that process. */
export const readTask = (argv: readonly string[]): v.InferOutput<typeof task> =>
  v.parse(task, JSON.parse(argv[2] ?? ''));

/** One batch after another, until there is nothing left to follow. */
export async function followedBatches(
  followBatch: () => Promise<AgreementBatch>,
): Promise<readonly FollowedBatch[]> {
  const batches: FollowedBatch[] = [];
  for (;;) {
    const begun = performance.now();
    const { offers, supplyOptions, isSettled } = await followBatch();
    batches.push({ ms: performance.now() - begun, offers, supplyOptions });
    if (isSettled) return batches;
  }
}

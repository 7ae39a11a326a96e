import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import type { AgreementBatch } from '../../workflows/agreement-switch-messages.ts';

const task = v.object({ databaseUrl: v.string(), vendorId: v.string(), limit: v.number() });
const followed = v.array(
  v.object({ ms: v.number(), offers: v.number(), supplyOptions: v.number() }),
);
/** One batch, and how long it took. */
export type FollowedBatch = v.InferOutput<typeof followed>[number];

/** As the workflow has it (`workflows/agreement-switch.ts`). */
const batchSize = 500;
const file = fileURLToPath(new URL('../agreement-follower.ts', import.meta.url));

/**
 * Lets every offer of a vendor follow its agreement, in a process of its own, as the worker is one.
 */
export function followAgreement(
  databaseUrl: string,
  vendorId: string,
): Promise<readonly FollowedBatch[]> {
  const given = JSON.stringify({ databaseUrl, vendorId, limit: batchSize });
  const follower = fork(file, [given], { execArgv: ['--import', 'tsx'] });
  return new Promise((resolve, reject) => {
    follower.once('message', (message) => resolve(v.parse(followed, message)));
    follower.once('exit', (code) => reject(new Error(`the follower ended with ${String(code)}`)));
  });
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

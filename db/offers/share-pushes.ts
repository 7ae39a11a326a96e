import { createBatcher, type Batcher } from '../core/batcher.ts';
import { databaseFailureCode } from '../core/failure.ts';

/** The most pushes of one statement; a larger one would delay each answer. */
const pushesMax = 50;

/** As many calls of a vendor as are in progress by default: these run at once, each alone. */
const statementsMax = 3;

/** What a statement does about a row that another writer has locked. */
export type RowLock = 'wait' | 'skip';

type Push = { readonly vendorId: string; readonly offerId: string };
type VendorPushes<TPush, TAnswer> = { readonly store: Batcher<TPush, TAnswer>; calls: number };

/**
 * Lets pushes of one vendor share statements: those that arrive while {@link statementsMax}
 * statements are under way share the next one and its commit. No two pushes of a statement are for one offer. `storeTogether` must wait for
 * no row, so that no push waits for what holds up another. Answers null for a push that
 * `storeTogether` does not answer.
 */
export function sharePushes<TPush extends Push, TAnswer extends { readonly offerId: string }>(
  storeTogether: (pushes: readonly TPush[]) => Promise<readonly TAnswer[]>,
): (push: TPush) => Promise<TAnswer | null> {
  // For each vendor, because a statement waits while a list of its vendor's changes begins.
  const byVendor = new Map<string, VendorPushes<TPush, TAnswer>>();
  const create = (): VendorPushes<TPush, TAnswer> => ({
    store: createBatcher({
      run: storeTogether,
      keyOf: ({ offerId }) => offerId,
      keyOfAnswer: ({ offerId }) => offerId,
      isShared: (error) => databaseFailureCode(error) !== null,
      sizeMax: pushesMax,
      statementsMax,
      patienceMs: 20,
    }),
    calls: 0,
  });
  return async (push) => {
    const pushes = byVendor.get(push.vendorId) ?? create();
    byVendor.set(push.vendorId, pushes);
    pushes.calls += 1;
    try {
      return await pushes.store(push);
    } finally {
      pushes.calls -= 1;
      if (pushes.calls === 0) byVendor.delete(push.vendorId);
    }
  };
}

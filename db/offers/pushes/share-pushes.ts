import { createBatcher, type Batcher } from '../../core/batcher.ts';
import { databaseFailureCode } from '../../core/failure.ts';

/** The most pushes of one statement; a larger one would delay each answer. */
const pushesMax = 50;

/** As many calls of a vendor as are in progress by default: these run at once, each alone. */
const statementsMax = 3;

type Push = { readonly vendorId: string; readonly offerId: string };
/** What became of a push; `stored` is null for an unknown offer. */
export type Answered<TStored> = { readonly offerId: string; readonly stored: TStored | null };
type VendorPushes<TPush, TStored> = {
  readonly store: Batcher<TPush, Answered<TStored>>;
  calls: number;
};

/**
 * Lets pushes of one vendor share statements: those that arrive while {@link statementsMax}
 * statements are under way share the next one and its commit. No two pushes of a statement are for
 * one offer. `storeTogether` must wait for no row, so that no push waits for what holds up another.
 * A push that it does not answer is stored alone, as one that shares no statement.
 */
export function sharePushes<TPush extends Push, TStored>(
  storeAlone: (push: TPush) => Promise<TStored | null>,
  storeTogether: (pushes: readonly TPush[]) => Promise<readonly Answered<TStored>[]>,
): (push: TPush) => Promise<TStored | null> {
  const run = async (pushes: readonly TPush[]): Promise<readonly Answered<TStored>[]> => {
    const [first] = pushes;
    if (pushes.length > 1 || first === undefined) return storeTogether(pushes);
    return [{ offerId: first.offerId, stored: await storeAlone(first) }];
  };
  // For each vendor, because a statement waits while a list of its vendor's changes begins.
  const byVendor = new Map<string, VendorPushes<TPush, TStored>>();
  const create = (): VendorPushes<TPush, TStored> => ({
    store: createBatcher({
      run,
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
      const answer = await pushes.store(push);
      if (answer !== null) return answer.stored;
    } finally {
      pushes.calls -= 1;
      if (pushes.calls === 0) byVendor.delete(push.vendorId);
    }
    return storeAlone(push);
  };
}

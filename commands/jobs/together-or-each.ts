import type { Queryable } from '../../db/core/client.ts';
import { isPassingFailure } from '../../db/core/failure.ts';

/** The transaction of a batch, which can undo a part of itself. */
export type BatchTransaction = Queryable & {
  readonly savepoint: <T>(run: (part: Queryable) => Promise<T>) => Promise<unknown>;
};

/**
 * Runs items together. Where one statement for all fails by one of them, they run one by one, each
 * with the results before it, and `failedBy` answers for an item that fails alone. `run` leaves
 * nothing behind when it rejects. Rejects when Postgres fails for a while; then nothing is stored.
 */
export async function togetherOrEach<TItem, TResult>(
  items: readonly TItem[],
  run: (items: readonly TItem[], earlier: readonly TResult[]) => Promise<readonly TResult[]>,
  failedBy: (item: TItem, error: unknown) => TResult,
): Promise<readonly TResult[]> {
  try {
    return await run(items, []);
  } catch (error) {
    if (isPassingFailure(error)) throw error;
    const [only] = items;
    if (only !== undefined && items.length === 1) return [failedBy(only, error)];
  }
  const results: TResult[] = [];
  for (const item of items)
    results.push(...(await togetherOrEach([item], (single) => run(single, results), failedBy)));
  return results;
}

import type { Queryable } from '../../db/core/client.ts';
import { isPassingFailure } from '../../db/core/failure.ts';
import { fail, type Failure } from '../../domain/errors.ts';

/** The transaction of a batch, which can undo a part of itself. */
export type BatchTransaction = Queryable & {
  readonly savepoint: <T>(run: (part: Queryable) => Promise<T>) => Promise<unknown>;
};

export type JobSettings = {
  /** Reports an error that is no expected failure; its item returns INTERNAL_ERROR. */
  readonly onUnexpected: (error: unknown, item: { jobId: string; index: number }) => void;
};

/** Reports an unexpected error of an item, and returns its failure. */
export function unexpected(
  { onUnexpected }: JobSettings,
  error: unknown,
  item: { readonly jobId: string; readonly index: number },
): Failure {
  onUnexpected(error, item);
  return fail('INTERNAL_ERROR', { requestId: `${item.jobId}/${item.index}` }).failure;
}

/**
 * Runs items together. If one of them makes the common statement fail, runs them one by one, each
 * with the results before it; `failedBy` gives the result of an item that fails alone. `run` must
 * store nothing when it rejects. Rejects during an outage of Postgres; then nothing is stored.
 */
export async function isolateFailures<TItem, TResult>(
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
    results.push(...(await isolateFailures([item], (single) => run(single, results), failedBy)));
  return results;
}

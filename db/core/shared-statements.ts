import { outsideTraces } from '../../process/tracing/trace-context.ts';
import { databaseFailureCode } from './failure.ts';

/** Resolves to an item's result; null when the statement returned none for it. */
export type SharedStatement<TItem, TResult> = (item: TItem) => Promise<TResult | null>;

type Waiting<TItem, TResult> = {
  readonly item: TItem;
  readonly resolve: (result: TResult | null) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Runs one statement for all items that arrive during the previous one. A lone item runs at once
 * unless it may wait, and in a burst many items share the cost of one statement. If one item makes
 * a common statement fail, each item is retried alone.
 */
export function shareStatement<TItem, TResult>({
  run,
  keyOf,
  requesterOf,
  isShared = (error) => databaseFailureCode(error) !== null,
  sizeMax,
  waitMs = () => 0,
  enough = sizeMax,
  statementsMax = 1,
  patienceMs,
}: {
  readonly run: (items: readonly TItem[]) => Promise<readonly TResult[]>;
  /**
   * The subject of an item, and of its result. A second item with the same key waits for the next
   * statement, so items that may share a key allow only one statement at a time.
   */
  readonly keyOf: (of: TItem | TResult) => string;
  /** Identifies the requester. A duplicate request that waits resolves to null. Default: none. */
  readonly requesterOf?: (item: TItem) => string;
  /**
   * Whether an error concerns every item, so that a retry of each is useless. Default: a failure of
   * Postgres.
   */
  readonly isShared?: (error: unknown) => boolean;
  readonly sizeMax: number;
  /** How long an item may wait for others that share its statement. Default: not at all. */
  readonly waitMs?: (item: TItem) => number;
  /** A statement begins without a further wait once this many items wait. */
  readonly enough?: number;
  /** Items share a statement once this number of statements is under way. Default: 1. */
  readonly statementsMax?: number;
  /** A statement that takes longer holds up no later one. Default: each waits for its end. */
  readonly patienceMs?: number;
}): SharedStatement<TItem, TResult> {
  const waiting: Waiting<TItem, TResult>[] = [];
  let running = 0;
  /** When the next statement is due, by the monotonic clock. */
  let dueAt = Infinity;
  let timer: NodeJS.Timeout | undefined;

  const settle = async (group: readonly Waiting<TItem, TResult>[]): Promise<void> => {
    try {
      const results = await run(group.map(({ item }) => item));
      const byKey = new Map(results.map((result) => [keyOf(result), result]));
      for (const { item, resolve } of group) resolve(byKey.get(keyOf(item)) ?? null);
    } catch (error) {
      if (group.length === 1 || isShared(error)) for (const { reject } of group) reject(error);
      else for (const each of group) await settle([each]);
    }
  };
  /** The first waiting items, no key twice. */
  const takeGroup = (): readonly Waiting<TItem, TResult>[] => {
    const left: Waiting<TItem, TResult>[] = [];
    const group: Waiting<TItem, TResult>[] = [];
    const requesters = new Map<string, string | undefined>();
    for (const each of waiting.splice(0)) {
      const key = keyOf(each.item);
      const requester = requesterOf?.(each.item);
      if (requester !== undefined && requesters.get(key) === requester) each.resolve(null);
      else if (group.length === sizeMax || requesters.has(key)) left.push(each);
      else {
        group.push(each);
        requesters.set(key, requester);
      }
    }
    waiting.push(...left);
    return group;
  };
  const isDue = (): boolean =>
    waiting.length > 0 && (waiting.length >= enough || performance.now() >= dueAt);
  const work = async (): Promise<void> => {
    running += 1;
    let isLate = false;
    const giveWay = (): void => {
      isLate = true;
      running -= 1;
      startOrWait();
    };
    while (isDue()) {
      const group = takeGroup();
      dueAt = waiting.length === 0 ? Infinity : 0;
      const patience = patienceMs === undefined ? undefined : setTimeout(giveWay, patienceMs);
      await settle(group);
      clearTimeout(patience);
      if (isLate) break;
    }
    if (!isLate) running -= 1;
    startOrWait();
  };
  const startOrWait = (): void => {
    clearTimeout(timer);
    if (running >= statementsMax || waiting.length === 0) return;
    if (isDue()) void outsideTraces(work);
    else timer = setTimeout(startOrWait, dueAt - performance.now());
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      const wait = waitMs(item);
      const itsDueAt = wait === 0 ? 0 : performance.now() + wait;
      const isSooner = itsDueAt < dueAt;
      if (isSooner) dueAt = itsDueAt;
      if (isSooner || waiting.length >= enough) startOrWait();
    });
}

/** How long a statement of reads may take before later reads no longer wait for its end. */
const readPatienceMs = 20;

/**
 * Reads that arrive while `statementsMax` (default: 1) statements are under way share the next one,
 * which sees what is stored after their arrival. `read` returns a result for each item, at its
 * index.
 */
export function shareReads<TItem, TResult>({
  read,
  ...limits
}: {
  readonly read: (items: readonly TItem[]) => Promise<readonly (TResult | null | undefined)[]>;
  readonly sizeMax: number;
  readonly statementsMax?: number;
}): SharedStatement<TItem, TResult> {
  let count = 0;
  const share = shareStatement<
    { readonly key: string; readonly item: TItem },
    { readonly key: string; readonly result: TResult | null | undefined }
  >({
    ...limits,
    run: async (reads) => {
      const results = await read(reads.map(({ item }) => item));
      return reads.map(({ key }, position) => ({ key, result: results[position] }));
    },
    // Each read has a key of its own: two reads of one subject may share a statement.
    keyOf: ({ key }) => key,
    isShared: () => true,
    patienceMs: readPatienceMs,
  });
  return async (item) => (await share({ key: String((count += 1)), item }))?.result ?? null;
}

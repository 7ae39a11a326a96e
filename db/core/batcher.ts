/** Takes one item, and answers what became of it; null when the statement said nothing of it. */
export type Batcher<TItem, TAnswer> = (item: TItem) => Promise<TAnswer | null>;

type Waiting<TItem, TAnswer> = {
  readonly item: TItem;
  readonly resolve: (answer: TAnswer | null) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * One statement for whatever has come meanwhile: a lone item goes at once, and in a burst a hundred of them share the
 * cost of one. Should a statement with several fail by one of them, each is tried by itself, so that it fails alone.
 */
export function createBatcher<TItem, TAnswer>({
  run,
  keyOf,
  requesterOf,
  keyOfAnswer,
  isShared,
  sizeMax,
}: {
  readonly run: (items: readonly TItem[]) => Promise<readonly TAnswer[]>;
  /** What an item is about. Of two about the same, by different askers, the second waits for the next statement. */
  readonly keyOf: (item: TItem) => string;
  /** Tells askers apart: one who asks the very same at the same time is told nothing. Default: all are different. */
  readonly requesterOf?: (item: TItem) => string;
  readonly keyOfAnswer: (answer: TAnswer) => string;
  /** Whether an error is not one item's own, so that each of them would meet it. */
  readonly isShared: (error: unknown) => boolean;
  readonly sizeMax: number;
}): Batcher<TItem, TAnswer> {
  const waiting: Waiting<TItem, TAnswer>[] = [];
  let isRunning = false;

  /** What is under way, and by whom it was asked for. */
  const underWay = new Map<string, string | undefined>();

  const settle = async (group: readonly Waiting<TItem, TAnswer>[]): Promise<void> => {
    try {
      const answers = await run(group.map(({ item }) => item));
      const byKey = new Map(answers.map((answer) => [keyOfAnswer(answer), answer]));
      for (const { item, resolve } of group) resolve(byKey.get(keyOf(item)) ?? null);
    } catch (error) {
      if (group.length === 1 || isShared(error)) for (const { reject } of group) reject(error);
      else for (const each of group) await settle([each]);
    }
  };
  /** The first of those that wait, none about what is under way, and no two about the same. */
  const takeGroup = (): readonly Waiting<TItem, TAnswer>[] => {
    const left: Waiting<TItem, TAnswer>[] = [];
    const group: Waiting<TItem, TAnswer>[] = [];
    for (const each of waiting.splice(0)) {
      const key = keyOf(each.item);
      const asker = requesterOf?.(each.item);
      if (asker !== undefined && underWay.get(key) === asker) each.resolve(null);
      else if (group.length === sizeMax || underWay.has(key)) left.push(each);
      else {
        group.push(each);
        underWay.set(key, asker);
      }
    }
    waiting.push(...left);
    return group;
  };
  const work = async (): Promise<void> => {
    isRunning = true;
    for (let group = takeGroup(); group.length > 0; group = takeGroup()) {
      await settle(group);
      for (const { item } of group) underWay.delete(keyOf(item));
    }
    isRunning = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void work();
    });
}

/** Takes one item, and answers what became of it; null when the statement said nothing of it. */
export type GroupCommit<TItem, TAnswer> = (item: TItem) => Promise<TAnswer | null>;

type Waiting<TItem, TAnswer> = {
  readonly item: TItem;
  readonly resolve: (answer: TAnswer | null) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * One statement for whatever has come meanwhile: a lone item goes at once, and in a burst a hundred of them share the
 * cost of one. Should a statement with several fail by one of them, each is tried by itself, so that it fails alone.
 */
export function createGroupCommit<TItem, TAnswer>({
  run,
  keyOf,
  keyOfAnswer,
  isShared,
  sizeMax,
  atOnce = 1,
}: {
  readonly run: (items: readonly TItem[]) => Promise<readonly TAnswer[]>;
  /** Tells items apart. Of two alike the second waits for the next statement. */
  readonly keyOf: (item: TItem) => string;
  readonly keyOfAnswer: (answer: TAnswer) => string;
  /** Whether an error is not one item's own, so that each of them would meet it. */
  readonly isShared: (error: unknown) => boolean;
  readonly sizeMax: number;
  /** Statements under way at a time. */
  readonly atOnce?: number;
}): GroupCommit<TItem, TAnswer> {
  const waiting: Waiting<TItem, TAnswer>[] = [];
  let running = 0;

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
  /** The first of those that wait, no two alike. */
  const takeGroup = (): readonly Waiting<TItem, TAnswer>[] => {
    const keys = new Set<string>();
    const left: Waiting<TItem, TAnswer>[] = [];
    const group: Waiting<TItem, TAnswer>[] = [];
    for (const each of waiting.splice(0)) {
      const key = keyOf(each.item);
      (group.length < sizeMax && !keys.has(key) ? group : left).push(each);
      keys.add(key);
    }
    waiting.push(...left);
    return group;
  };
  const work = async (): Promise<void> => {
    running += 1;
    while (waiting.length > 0) await settle(takeGroup());
    running -= 1;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running < atOnce) void work();
    });
}

/** Takes the items of a list one after another, for ever. */
export function cycle<T>(items: readonly T[]): () => T {
  let index = 0;
  return () => {
    const item = items[index];
    if (item === undefined) throw new Error('an empty list cannot be cycled');
    index = (index + 1) % items.length;
    return item;
  };
}

/** Counts on from 1: a value that is never the one before. */
export function counter(): () => number {
  let value = 0;
  return () => (value += 1);
}

import { setImmediate } from 'node:timers/promises';

/** Items with histories of 100 changes each take about a millisecond. */
const itemsInTurn = 10;

/** Maps a long list and lets other work of the process run after every ten items. */
export async function mapInTurns<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const mapped: R[] = [];
  for (const [index, item] of items.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- the pauses are the purpose
    if (index > 0 && index % itemsInTurn === 0) await setImmediate();
    mapped.push(map(item));
  }
  return mapped;
}

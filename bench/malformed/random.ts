/** A random source that its seed alone decides: the same seed, the same request, on any machine. */
export type Random = {
  /** A whole number from 0 up to, not including, `end`. */
  readonly below: (end: number) => number;
  readonly pick: <T>(items: readonly T[]) => T;
  readonly chance: (probability: number) => boolean;
  readonly bytes: (count: number) => Buffer;
};

/** FNV-1a, which spreads neighbouring numbers. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return value >>> 0;
}

/** Mulberry32: small, quick, and random enough to choose mutations. */
export function createRandom(seed: string): Random {
  let state = hash(seed);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    pick: (items) => {
      if (items.length === 0) throw new Error('nothing to pick from');
      // The index is within the list.
      return items[below(items.length)] as (typeof items)[number];
    },
    chance: (probability) => next() < probability,
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))),
  };
}

import { setNewest } from '../bounded-map.ts';

/** An entry is valid from `fromMs` to `untilMs`, both included (Unix milliseconds). */
type Entry = { readonly fromMs: number; readonly untilMs: number };

/** About ten megabytes, tokens included. */
const sizeMax = 10_000;

/** Caches verified tokens. The oldest entry is evicted first: tokens live about equally long. */
export function createTokenCache<TEntry extends Entry>(max = sizeMax) {
  const byToken = new Map<string, TEntry>();
  return {
    get: (token: string, nowMs: number): TEntry | null => {
      const found = byToken.get(token);
      if (found === undefined) return null;
      if (nowMs >= found.fromMs && nowMs <= found.untilMs) return found;
      byToken.delete(token);
      return null;
    },
    set: (token: string, entry: TEntry): void => {
      setNewest(byToken, max, token, entry);
    },
    size: (): number => byToken.size,
  };
}

import type { Caller } from './tokens.ts';

/** What was found out about a token, and from when until when it holds (milliseconds since 1970, both included). */
export type Remembered = {
  readonly caller: Caller;
  readonly kid: string;
  readonly fromMs: number;
  readonly untilMs: number;
};

/** Some ten megabytes, tokens included. */
const tokensMax = 10_000;

/**
 * Who the tokens are that were verified before. Tokens live for minutes and nearly alike, so that the one that came first is
 * the one to forget.
 */
export function createRememberedCallers(max = tokensMax) {
  const byToken = new Map<string, Remembered>();
  return {
    find: (token: string, nowMs: number): Remembered | null => {
      const found = byToken.get(token);
      if (found === undefined) return null;
      if (nowMs >= found.fromMs && nowMs <= found.untilMs) return found;
      byToken.delete(token);
      return null;
    },
    keep: (token: string, remembered: Remembered): void => {
      const [oldest] = byToken.size >= max ? byToken.keys() : [];
      if (oldest !== undefined) byToken.delete(oldest);
      byToken.set(token, remembered);
    },
    size: (): number => byToken.size,
  };
}

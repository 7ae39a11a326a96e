/** Ends a call's permit in a quota; called once. */
export type Leave = () => void;

type Entered = Leave | null | Promise<Leave | null>;
type Line = { running: number; readonly waiting: Set<Leave> };

/**
 * A quota of one process: `max` calls of a key run at a time, and `waitingMax` wait in the order of
 * their arrival.
 */
export function createCallQuota({
  max,
  waitingMax,
  waitMs,
}: {
  readonly max: number;
  readonly waitingMax: number;
  readonly waitMs: number;
}) {
  const lines = new Map<string, Line>();
  /**
   * Resolves when the call may begin. Resolves to null if the queue of the key is full, the wait is
   * over, or `whenGone` reports that the caller has disconnected.
   */
  const enter = (key: string, whenGone: (leave: Leave) => void): Entered => {
    const line = lines.get(key) ?? { running: 0, waiting: new Set() };
    lines.set(key, line);
    const leave = (): void => {
      const [next] = line.waiting;
      // The next call takes over the permit.
      if (next !== undefined) next();
      else if ((line.running -= 1) === 0) lines.delete(key);
    };
    if (line.running < max) {
      line.running += 1;
      return leave;
    }
    if (line.waiting.size >= waitingMax) return null;
    return new Promise((resolve) => {
      const endWait = (result: Leave | null): void => {
        clearTimeout(timer);
        line.waiting.delete(begin);
        resolve(result);
      };
      const begin = (): void => {
        endWait(leave);
      };
      const giveUp = (): void => {
        endWait(null);
      };
      const timer = setTimeout(giveUp, waitMs);
      line.waiting.add(begin);
      whenGone(giveUp);
    });
  };
  return { max, enter };
}

export type CallQuota = ReturnType<typeof createCallQuota>;

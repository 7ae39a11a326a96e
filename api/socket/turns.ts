/** How many things begin in one turn of the event loop: of one sender, and of all together. */
type TurnLimits = { readonly ofSenderMax: number; readonly ofAllMax?: number };

/**
 * Begins things of each sender in the order of their arrival: at once, or above the limits in a
 * later turn of the event loop, one of each sender in turn. A sender of thousands delays its own
 * things, and others by a few milliseconds.
 */
export function createTurns({ ofSenderMax, ofAllMax = Infinity }: TurnLimits) {
  const waiting = new Map<string, (() => void)[]>();
  const begunBySender = new Map<string, number>();
  let begun = 0;
  const mayBegin = (sender: string): boolean =>
    begun < ofAllMax && (begunBySender.get(sender) ?? 0) < ofSenderMax;
  const count = (sender: string): void => {
    if (begun === 0) setImmediate(endTurn);
    begun += 1;
    begunBySender.set(sender, (begunBySender.get(sender) ?? 0) + 1);
  };
  const endTurn = (): void => {
    begun = 0;
    begunBySender.clear();
    for (const [sender, line] of waiting) {
      if (!mayBegin(sender)) continue;
      count(sender);
      waiting.delete(sender);
      const begin = line.shift();
      // The sender's next one comes after one of each other sender.
      if (line.length > 0) waiting.set(sender, line);
      begin?.();
    }
  };
  return (sender: string, begin: () => void): void => {
    const line = waiting.get(sender);
    if (line !== undefined) line.push(begin);
    else if (mayBegin(sender)) {
      count(sender);
      begin();
    } else waiting.set(sender, [begin]);
  };
}

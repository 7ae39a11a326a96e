/** What of a body is read without a turn: more than most calls have. */
const bytesWithoutTurn = 16 * 1024;

const waiting = new Map<string, (() => void)[]>();

function beginTurn(): void {
  for (const [sender, bodies] of waiting) {
    bodies.shift()?.();
    if (bodies.length === 0) waiting.delete(sender);
  }
  if (waiting.size > 0) setImmediate(beginTurn);
}

/**
 * Waits, after the first 16 KiB of a body, until its next piece may be read: one piece of all
 * bodies of a sender in each turn of the event loop. Its connection is not read meanwhile.
 * Otherwise eight bodies of 1 MiB would be read in one turn, and each call of others waits.
 */
export async function waitForTurn(sender: string, arrivedBytes: number): Promise<void> {
  if (arrivedBytes <= bytesWithoutTurn) return;
  await new Promise<void>((resolve) => {
    if (waiting.size === 0) setImmediate(beginTurn);
    const bodies = waiting.get(sender);
    if (bodies === undefined) waiting.set(sender, [resolve]);
    else bodies.push(resolve);
  });
}

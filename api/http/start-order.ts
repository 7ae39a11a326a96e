import type { IncomingMessage } from 'node:http';

/** Requests that begin in one turn of the event loop. */
const perTurnMax = 8;

type Begin = () => void;

/** A request's sender, as far as it is known before its token is checked. */
const senderOf = ({ headers, socket }: IncomingMessage): string =>
  headers.authorization ?? socket.remoteAddress ?? '';

/**
 * Begins requests in the order of their arrival, at most eight in a turn of the event loop. Others
 * wait, and begin one of each sender in turn: a sender of thousands delays its own requests, and
 * those of others by a few milliseconds.
 */
export function createStartOrder() {
  const waiting = new Map<string, Begin[]>();
  let begun = 0;
  let isScheduled = false;
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      begun = 0;
      beginNext();
    });
  };
  const beginNext = (): void => {
    for (const [sender, line] of waiting) {
      if (begun === perTurnMax) break;
      begun += 1;
      waiting.delete(sender);
      const begin = line.shift();
      // The sender's next request comes after one of each other sender.
      if (line.length > 0) waiting.set(sender, line);
      begin?.();
    }
    if (begun > 0) schedule();
  };
  return (request: IncomingMessage, begin: Begin): void => {
    schedule();
    if (waiting.size === 0 && begun < perTurnMax) {
      begun += 1;
      begin();
      return;
    }
    const sender = senderOf(request);
    const line = waiting.get(sender);
    if (line === undefined) waiting.set(sender, [begin]);
    else line.push(begin);
  };
}

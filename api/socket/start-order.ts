import type { IncomingMessage } from 'node:http';

/** Requests of one sender that begin in one turn of the event loop. */
const perSenderMax = 8;
/** Requests of all senders that do. */
const perTurnMax = 64;

type Begin = () => void;
/** The sender of a request, as far as it is known before its token is checked. */
export type SenderOf = (request: IncomingMessage) => string;

/**
 * Begins the requests of each sender in the order of their arrival, at most eight in a turn of the
 * event loop, and 64 of all senders together. The other requests wait, and begin one of each sender
 * in turn: a sender of thousands delays its own requests, and other senders by a few milliseconds.
 */
export function createStartOrder(senderOf: SenderOf) {
  const waiting = new Map<string, Begin[]>();
  const begunBySender = new Map<string, number>();
  let begun = 0;
  let isScheduled = false;
  const mayBegin = (sender: string): boolean =>
    begun < perTurnMax && (begunBySender.get(sender) ?? 0) < perSenderMax;
  const count = (sender: string): void => {
    begun += 1;
    begunBySender.set(sender, (begunBySender.get(sender) ?? 0) + 1);
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      begun = 0;
      begunBySender.clear();
      beginWaiting();
    });
  };
  const beginWaiting = (): void => {
    for (const [sender, line] of waiting) {
      if (!mayBegin(sender)) continue;
      count(sender);
      waiting.delete(sender);
      const begin = line.shift();
      // The sender's next request comes after one of each other sender.
      if (line.length > 0) waiting.set(sender, line);
      begin?.();
    }
  };
  return (request: IncomingMessage, begin: Begin): void => {
    const sender = senderOf(request);
    const line = waiting.get(sender);
    if (line !== undefined) line.push(begin);
    else if (mayBegin(sender)) {
      count(sender);
      begin();
    } else waiting.set(sender, [begin]);
  };
}

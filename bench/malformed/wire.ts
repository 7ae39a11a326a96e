import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from './answer.ts';

/** Bytes to a socket, and what comes back, read as HTTP by its own rules. */

export type Exchange = {
  readonly port: number;
  /** Sent one after another. */
  readonly parts: readonly Buffer[];
  /** What we do once all is sent: wait for the other side to close, say that nothing more comes, or be gone. */
  readonly end: 'wait' | 'finish' | 'cut';
  readonly patienceMs: number;
};

export type Exchanged = {
  readonly answers: readonly Answer[];
  /** What came and is no whole answer. */
  readonly rest: string;
  readonly isClosed: boolean;
};

/** A whole answer at the beginning of `text`, or null; what is informational is passed over. */
function firstAnswer(
  text: string,
): { readonly answer: Answer | null; readonly length: number } | null {
  const [head, status] = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/.exec(text) ?? [];
  if (head === undefined) return null;
  if (Number(status) < 200) return { answer: null, length: head.length };
  const headers = Object.fromEntries(
    head
      .split('\r\n')
      .slice(1, -2)
      .map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
  );
  const length = head.length + Number(headers['content-length']);
  if (Number.isNaN(length) || text.length < length) return null;
  const body = Buffer.from(text.slice(head.length, length), 'latin1').toString();
  return { answer: { status: Number(status), headers, body }, length };
}

/** All answers of a stream of bytes, each held in a character. */
export function readAnswers(text: string): Pick<Exchanged, 'answers' | 'rest'> {
  const answers: Answer[] = [];
  let rest = text;
  for (let found = firstAnswer(rest); found !== null; found = firstAnswer(rest)) {
    if (found.answer !== null) answers.push(found.answer);
    rest = rest.slice(found.length);
  }
  return { answers, rest };
}

/** A connection of its own, from its beginning until the other side closes it, or our patience ends. */
export async function exchange({ port, parts, end, patienceMs }: Exchange): Promise<Exchanged> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  const received: Buffer[] = [];
  const closed = new Promise<true>((resolve) => {
    socket.on('data', (bytes: Buffer) => received.push(bytes));
    // A reset ends it, too: what came before has been read.
    socket
      .on('error', () => resolve(true))
      .on('end', () => resolve(true))
      .on('close', () => resolve(true));
  });
  const patience = new AbortController();
  for (const [index, part] of parts.entries()) {
    if (index > 0) await delay(1);
    if (!socket.destroyed) socket.write(part);
  }
  if (end === 'finish') socket.end();
  // Long enough for the bytes to be on their way.
  const isClosed = await Promise.race([
    closed,
    delay(end === 'cut' ? 5 : patienceMs, false, { signal: patience.signal }),
  ]);
  patience.abort();
  socket.destroy();
  return { ...readAnswers(Buffer.concat(received).toString('latin1')), isClosed };
}

import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';

/** What an attacker was answered: calls below and above 300. */
export type ResponseCounts = { accepted: number; refused: number };

/** Attacks with a token until the signal aborts, and ends all its connections. */
export type Attacker = (token: string, over: AbortSignal) => Promise<ResponseCounts>;

/**
 * Reads pages on a given number of connections. It does not parse them: that would delay the other
 * calls.
 */
export const pageReader =
  (origin: string, connections: number, pathOf: (operation: number) => string): Attacker =>
  async (token, over) => {
    const pool = new Pool(origin, { connections, pipelining: 1 });
    const counts: ResponseCounts = { accepted: 0, refused: 0 };
    const read = async (operation: number): Promise<void> => {
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: pathOf(operation),
        headers: { authorization: `Bearer ${token}` },
      });
      await body.dump({ limit: Number.MAX_SAFE_INTEGER });
      counts[statusCode < 300 ? 'accepted' : 'refused'] += 1;
    };
    let operation = 0;
    const readOn = async (): Promise<void> => {
      while (!over.aborted) await read((operation += 1));
    };
    await Promise.all(Array.from({ length: connections }, readOn));
    await pool.close();
    return counts;
  };

/**
 * Sends the same bytes on a given number of connections, and opens those again that are closed.
 * With `readsResponses` each connection sends them again after each response; without it no
 * response is read, and with `sendsOn` it sends them as fast as the gateway takes them.
 */
export const rawSender =
  (
    origin: string,
    {
      connections,
      bytesOf,
      readsResponses = false,
      sendsOn = false,
    }: {
      readonly connections: number;
      readonly bytesOf: (token: string) => Buffer;
      readonly readsResponses?: boolean;
      readonly sendsOn?: boolean;
    },
  ): Attacker =>
  async (token, over) => {
    const bytes = bytesOf(token);
    const counts: ResponseCounts = { accepted: 0, refused: 0 };
    const open = new Set<Socket>();
    const begin = (): void => {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1');
      open.add(socket);
      const send = (): void => {
        if (!sendsOn) socket.write(bytes);
        else while (socket.writable && socket.write(bytes));
      };
      socket.once('connect', send).on('error', () => undefined);
      if (sendsOn) socket.on('drain', send);
      if (readsResponses)
        socket.on('data', (piece: Buffer) => {
          const status = Number(/^HTTP\/1\.1 (\d+)/.exec(piece.toString('latin1'))?.[1] ?? 0);
          if (status === 0) return;
          counts[status < 300 ? 'accepted' : 'refused'] += 1;
          send();
        });
      socket.once('close', () => {
        open.delete(socket);
        // A pause, as an attacker would lose its own time otherwise.
        if (!over.aborted) setTimeout(begin, 100);
      });
    };
    for (let count = 0; count < connections; count += 1) begin();
    await new Promise<void>((resolve) => {
      over.addEventListener('abort', () => {
        resolve();
      });
    });
    for (const socket of open) socket.destroy();
    await delay(200);
    return counts;
  };

/** A request with a body, a POST by default; `length`: declared, and above the bytes sent. */
export function post(
  path: string,
  body: string,
  { method = 'POST', type = 'application/json', length = body.length, token = '' } = {},
): Buffer {
  const headers = [
    'host: bench',
    `content-type: ${type}`,
    `content-length: ${length}`,
    // The console takes forms of its own pages only.
    'sec-fetch-site: same-origin',
    ...(token === '' ? [] : [`authorization: Bearer ${token}`]),
  ];
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
}

/** A given number of GETs, one after the other. */
export const gets = (path: string, token: string, count: number): Buffer =>
  Buffer.from(
    `GET ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n\r\n`.repeat(count),
  );

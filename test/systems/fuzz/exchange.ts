import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'undici';
import type { RawRequest } from './raw-requests.ts';
import type { HttpRequest } from './http-requests.ts';

/** An answer as it came. Header names are in lower case. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
};

/** Sends one request by HTTP. Throws where no answer comes. */
export async function sendHttp(pool: Pool, request: HttpRequest): Promise<Answer> {
  const { method, url, body, headers } = request;
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [name, value],
  );
  const answer = await pool.request({ method, path: url, headers: lines, body });
  return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
}

/** The whole answers of a connection, the bytes that are none, and whether the server closed it. */
export type Exchanged = {
  readonly answers: readonly Answer[];
  readonly rest: string;
  readonly isClosed: boolean;
};

/** Reads all answers of a text whose characters are bytes. Informational ones are left out. */
export function readAnswers(text: string): Omit<Exchanged, 'isClosed'> {
  const [head, code] = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/.exec(text) ?? [];
  const lines = head?.matchAll(/^([^:\r\n]+): ?(.*)\r$/gm) ?? [];
  const headers: Record<string, string> = {};
  for (const [, name = '', value = ''] of lines) headers[name.toLowerCase()] = value;
  const status = Number(code);
  const length = Number(headers['content-length'] ?? (status < 200 ? 0 : Number.NaN));
  const end = (head ?? '').length + length;
  if (head === undefined || !(text.length >= end)) return { answers: [], rest: text };
  const body = Buffer.from(text.slice(head.length, end), 'latin1').toString();
  const { answers, rest } = readAnswers(text.slice(end));
  return { answers: status < 200 ? answers : [{ status, headers, body }, ...answers], rest };
}

/** One connection, until the server closes it or `timeoutMs` have passed. */
export async function exchange(
  port: number,
  { parts, end }: RawRequest,
  timeoutMs: number,
): Promise<Exchanged> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  const received: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => received.push(bytes));
  const closed = new Promise<true>((resolve) => {
    // A reset ends the connection, too. What came before it has been read.
    for (const event of ['error', 'end', 'close']) socket.on(event, () => resolve(true));
  });
  for (const [index, part] of parts.entries()) {
    if (index > 0) await delay(1);
    if (!socket.destroyed) socket.write(part);
  }
  if (end === 'finish') socket.end();
  const timer = new AbortController();
  // Before a cut, the bytes need a moment to be on their way.
  const late = delay(end === 'cut' ? 5 : timeoutMs, false, { signal: timer.signal });
  const isClosed = await Promise.race([closed, late]);
  timer.abort();
  socket.destroy();
  return { ...readAnswers(Buffer.concat(received).toString('latin1')), isClosed };
}

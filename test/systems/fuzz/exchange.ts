import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'undici';
import type { RawRequest } from './raw-requests.ts';
import type { HttpRequest } from './http-requests.ts';

/** A response as it came. Header names are in lower case. */
export type ReceivedResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
};

/** Sends one request by HTTP. Throws where no response comes. */
export async function sendHttp(pool: Pool, request: HttpRequest): Promise<ReceivedResponse> {
  const { method, url, body, headers } = request;
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [name, value],
  );
  const response = await pool.request({ method, path: url, headers: lines, body });
  return {
    status: response.statusCode,
    headers: response.headers,
    body: await response.body.text(),
  };
}

/**
 * The whole responses of a connection, the bytes that are none, and whether the server closed it.
 */
export type Exchanged = {
  readonly responses: readonly ReceivedResponse[];
  readonly rest: string;
  readonly isClosed: boolean;
};

/** Reads all responses of a text whose characters are bytes. Informational ones are left out. */
export function readResponses(text: string): Omit<Exchanged, 'isClosed'> {
  const [head, code] = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/.exec(text) ?? [];
  const lines = head?.matchAll(/^([^:\r\n]+): ?(.*)\r$/gm) ?? [];
  const headers: Record<string, string> = {};
  for (const [, name = '', value = ''] of lines) headers[name.toLowerCase()] = value;
  const status = Number(code);
  const length = Number(headers['content-length'] ?? (status < 200 ? 0 : Number.NaN));
  const end = (head ?? '').length + length;
  if (head === undefined || !(text.length >= end)) return { responses: [], rest: text };
  const body = Buffer.from(text.slice(head.length, end), 'latin1').toString();
  const { responses, rest } = readResponses(text.slice(end));
  return { responses: status < 200 ? responses : [{ status, headers, body }, ...responses], rest };
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
  return { ...readResponses(Buffer.concat(received).toString('latin1')), isClosed };
}

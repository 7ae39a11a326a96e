import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import { securityHeaders } from '../../../api/http/security-headers.ts';
import type { ErrorCode } from '../../../domain/errors.ts';
import { expectInReference } from '../../support/api/response-contract.ts';
import { help, sentBy, type Call, type Method } from '../../support/api/api.ts';

/** A response as it came over the network. */
export type HttpResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
};

/** Where the app listens; on a free port of this machine only, from the first call on. */
export async function baseUrlOf(app: FastifyInstance): Promise<string> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  // A TCP server's address is an AddressInfo; only a pipe's is a string.
  const { port } = app.server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** The request id that `ask` gives, so that the response must repeat it. */
export const givenRequestId = '01935b1e-7c1a-7d62-9f0e-5a5b8c1d2e3f';

/** One request over real HTTP. */
export async function ask(
  { app }: { readonly app: FastifyInstance },
  method: Method,
  path: string,
  given: Call = {},
): Promise<HttpResponse> {
  const sent = sentBy(given);
  const headers = { 'x-request-id': givenRequestId, ...sent.headers };
  const body = sent.text === undefined ? {} : { body: sent.text };
  const response = await fetch(`${await baseUrlOf(app)}${path}`, { method, headers, ...body });
  const received = {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: await response.text(),
  };
  const { status } = received;
  await expectInReference(app, { method, url: path, status, body: JSON.parse(received.text) });
  return received;
}

/**
 * A raw response's parts: those that Node's parser causes are written to the socket, past the
 * framework.
 */
export function parsedResponse(raw: string): HttpResponse {
  const [head = '', text = ''] = raw.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) \S/.exec(first)?.[1]),
    headers: Object.fromEntries(lines.map((line) => line.split(/: (.*)/).slice(0, 2))),
    text,
  };
}

/** What docs/errors.md shows as the responses of a code. */
function documented(code: ErrorCode): readonly unknown[] {
  const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
  const section = page.split(/^###? /m).find((each) => each.startsWith(`${code}\n`)) ?? '';
  return Array.from(
    section.matchAll(/```json\n([^`]+)```/g),
    ([, json = '']) => JSON.parse(json) as unknown,
  );
}

/** Of the connection and the clock, not of the response. */
const ofTransport = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding']);

/** The specification gives the refusals of a log-in empty details (part 5, rule 4). */
const hasHelp = (code: ErrorCode): boolean =>
  code !== 'UNAUTHORIZED_INVALID_CREDENTIALS' && code !== 'UNAUTHORIZED_VENDOR_INACTIVE';

/**
 * The whole response: status, the envelope's three keys and no other, each header and no other, the
 * link to the code's entry of the page, and an example of the page. The name of
 * the test begins with the code.
 */
export function expectRefusal(
  received: HttpResponse,
  status: number,
  code: ErrorCode,
  ownDetails: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, unknown>> = {},
): void {
  const details = { ...ownDetails, ...(hasHelp(code) ? help(code) : {}) };
  expect(expect.getState().currentTestName).toMatch(new RegExp(`^${code}: `));
  // As text: nothing but these three keys, in this order.
  expect(received.text).toBe(JSON.stringify({ state: code, payload: null, details }));
  expect(received.status).toBe(status);
  const own = Object.entries(received.headers).filter(([name]) => !ofTransport.has(name));
  expect(Object.fromEntries(own)).toEqual({
    ...securityHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(received.text)),
    'x-request-id': givenRequestId,
    ...headers,
  });
  expect(documented(code)).toContainEqual({ state: code, payload: null, details });
}

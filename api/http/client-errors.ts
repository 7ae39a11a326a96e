import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { errorCatalogue, invalid, type Failure } from '../../domain/errors.ts';
import { lingeringClose } from './lingering-close.ts';
import { securityHeaders } from './security-headers.ts';

/** What Node's parser refuses before there is a request: by its codes. Anything else is malformed HTTP. */
const failures: Readonly<Record<string, Failure>> = {
  HPE_HEADER_OVERFLOW: { code: 'HEADERS_TOO_LARGE', details: {} },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'REQUEST_TIMEOUT', details: {} },
};
const malformed = invalid({
  field: 'Request',
  path: '',
  code: 'malformed',
  message: 'is not HTTP',
}).failure;

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };
/** What a connection has said last, and whatever of it is not answered yet, the oldest first. */
type Conversation = { latest: Exchange; readonly unanswered: Set<Exchange> };
const conversations = new WeakMap<Duplex, Conversation>();

function remember(request: IncomingMessage, response: ServerResponse): void {
  const exchange = { request, response };
  const conversation = conversations.get(request.socket) ?? {
    latest: exchange,
    unanswered: new Set(),
  };
  conversation.latest = exchange;
  conversation.unanswered.add(exchange);
  conversations.set(request.socket, conversation);
  response.once('close', () => conversation.unanswered.delete(exchange));
}

/** Runs `then` after the answers that come before it: requests may be sent ahead of them, and answers keep their order. */
function runExclusive(before: readonly Exchange[], then: () => void): void {
  const last = before.at(-1);
  if (last === undefined) then();
  else last.response.once('close', then);
}

/** Connections that have said something that is no HTTP: nothing that follows counts. */
const broken = new WeakSet<Socket>();

/** Such a caller, too, gets the envelope and a request id, one answer for each request; then its connection is closed. */
export function handleClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  if (broken.has(socket)) return;
  broken.add(socket);
  const { latest, unanswered = new Set<Exchange>() } = conversations.get(socket) ?? {};
  // Bytes that are no HTTP are the rest of the latest request, or come behind it.
  const own = latest?.request.complete === false ? latest : undefined;
  const before = [...unanswered].filter((exchange) => exchange !== own);
  runExclusive(before, () => {
    // The rest of a request that has its answer already needs no second one.
    if (own?.response.headersSent === true)
      runExclusive(unanswered.has(own) ? [own] : [], () => socket.destroySoon());
    else if (socket.writable) socket.end(rawAnswer(failures[error.code ?? ''] ?? malformed));
  });
}

function rawAnswer({ code, details }: Failure): string {
  const { status } = errorCatalogue[code];
  const body = JSON.stringify({ state: code, payload: null, details });
  return [
    `HTTP/1.1 ${status} ${reasons[status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${uuidv7()}`,
    ...Object.entries(securityHeaders).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
    '',
    body,
  ].join('\r\n');
}

/** What Node leaves to us, or answers out of turn: CONNECT, and bytes that are no HTTP. */
export function handleConnect(app: FastifyInstance): void {
  app.server.prependListener('request', remember);
  app.server.on('connect', (_request, socket) => {
    // Node has taken its own listener off: a caller that is gone already must not be an error that nobody handles.
    socket.on('error', () => socket.destroy());
    runExclusive([...(conversations.get(socket)?.unanswered ?? [])], () => {
      socket.end(rawAnswer({ code: 'NOT_FOUND_ROUTE', details: {} }));
      // Nor does it watch over the connection any more.
      lingeringClose(socket);
    });
  });
}

/** An expectation that we do not know is no reason to refuse; Node would answer 417 with nothing. */
export function acceptUnknownExpect(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
}

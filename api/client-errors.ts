import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { errorCatalogue, invalid, type Failure } from '../domain/errors.ts';
import { securityHeaders } from './security-headers.ts';

/** What Node's parser refuses before there is a request: by its codes. Anything else is malformed HTTP. */
const failures: Readonly<Record<string, Failure>> = {
  HPE_HEADER_OVERFLOW: { code: 'HEADERS_TOO_LARGE', details: {} },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'REQUEST_TIMEOUT', details: {} },
};
const malformed = invalid({ field: 'Request', path: '', code: 'malformed', message: 'is not HTTP' }).failure;

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };
/** The latest request of each connection: bytes that are no HTTP may belong to it, or come behind it. */
const latest = new WeakMap<Socket, Exchange>();

/** Such a caller, too, gets the envelope and a request id, one answer for each request; then its connection is closed. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { request, response } = latest.get(socket) ?? {};
  if (request?.complete === false && response?.headersSent === true) {
    // The rest of a request that has its answer already.
    socket.destroySoon();
    return;
  }
  const answer = () => {
    if (socket.writable) socket.end(rawAnswer(failures[error.code ?? ''] ?? malformed));
  };
  // What came before may be a write that is under way: its answer goes out first.
  if (request?.complete === true && response?.writableFinished === false) response.once('close', answer);
  else answer();
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

/** What Node answers by itself or not at all, without what it calls a request: CONNECT, and bytes that are no HTTP. */
export function answerStrangers(app: FastifyInstance): void {
  app.server.prependListener('request', (request, response) => {
    latest.set(request.socket, { request, response });
  });
  app.server.on('connect', (_request, socket) => {
    // Node has taken its own listener off: a caller that is gone already must not be an error that nobody handles.
    socket.on('error', () => socket.destroy());
    socket.end(rawAnswer({ code: 'NOT_FOUND_ROUTE', details: {} }));
  });
}

/** An expectation that we do not know is no reason to refuse; Node would answer 417 with nothing. */
export function ignoreExpectations(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
}

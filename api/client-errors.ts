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
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** Such a caller, too, gets the envelope and a request id; then its connection is closed. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { code, details } = failures[error.code ?? ''] ?? malformed;
  const { status } = errorCatalogue[code];
  const body = JSON.stringify({ state: code, payload: null, details });
  socket.end(
    [
      `HTTP/1.1 ${status} ${reasons[status] ?? ''}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${uuidv7()}`,
      ...Object.entries(securityHeaders).map(([name, value]) => `${name}: ${value}`),
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

/** An expectation that we do not know is no reason to refuse; Node would answer 417 with nothing. */
export function ignoreExpectations(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
}

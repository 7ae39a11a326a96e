import { maxHeaderSize, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { errorCatalogue, invalid, type Failure } from '../../domain/errors.ts';
import { giveRoomBack } from './body-rooms.ts';
import { exchangesOf, type Exchange } from './connections.ts';
import { errorBody } from '../http/error-body.ts';
import { lingeringClose } from './lingering-close.ts';
import { commonHeaders } from '../http/security-headers.ts';

/** A body in another transfer coding than `chunked`, which nothing here decodes (RFC 9112, 6.1). */
export const unknownTransferCoding = invalid({
  field: 'Transfer-Encoding',
  path: '',
  code: 'malformed',
  message: 'must be chunked',
}).failure;

/** The failure for each code of Node's HTTP parser. Any other code means malformed HTTP. */
const failures: Readonly<Record<string, Failure>> = {
  HPE_HEADER_OVERFLOW: {
    code: 'HEADERS_TOO_LARGE',
    details: {
      maximum: maxHeaderSize,
      message: `The headers and the path may have at most ${maxHeaderSize} bytes together.`,
    },
  },
  HPE_INVALID_TRANSFER_ENCODING: unknownTransferCoding,
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'REQUEST_TIMEOUT', details: {} },
};
const malformed = invalid({
  field: 'Request',
  path: '',
  code: 'malformed',
  message: 'is not HTTP',
}).failure;

/** Calls `send` after the responses to earlier pipelined requests, which keep their order. */
function sendAfter(earlier: readonly Exchange[], send: () => void): void {
  const last = earlier.at(-1);
  if (last === undefined) send();
  else last.response.once('close', send);
}

/** What a response that is written to the socket has beside its failure. */
export type RawResponseParts = {
  /** The base URL of {@link errorBody}. */
  readonly baseUrl: string;
  /** Headers of each response of the installation. */
  readonly headers: () => Readonly<Record<string, string>>;
};

/** Connections that sent malformed HTTP: later bytes on them are ignored. */
const broken = new WeakSet<Socket>();

/** Sends the envelope for a request that Node's parser refuses, then closes the connection. */
export function handleClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  parts: RawResponseParts,
): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  if (broken.has(socket)) return;
  broken.add(socket);
  const { latest, open } = exchangesOf(socket);
  // Malformed bytes belong to the latest request while it is incomplete, otherwise they follow it.
  const own = latest?.request.complete === false ? latest : undefined;
  const earlier = [...open].filter((exchange) => exchange !== own);
  // The caller of a body that is late may keep its connection open.
  if (own !== undefined) giveRoomBack(own.request);
  sendAfter(earlier, () => {
    // The request already has its response; it needs no second one.
    if (own?.response.headersSent === true)
      sendAfter(open.has(own) ? [own] : [], () => socket.destroySoon());
    else if (socket.writable) {
      socket.end(rawResponse(failures[error.code ?? ''] ?? malformed, parts));
      lingeringClose(socket);
    }
  });
}

function rawResponse(failure: Failure, { baseUrl, headers }: RawResponseParts): string {
  const { status } = errorCatalogue[failure.code];
  const body = JSON.stringify(errorBody(failure, baseUrl));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries({ ...commonHeaders(uuidv7()), ...headers() }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    'connection: close',
    '',
    body,
  ].join('\r\n');
}

/** Answers CONNECT with 404. */
export function handleConnect(app: FastifyInstance, parts: RawResponseParts): void {
  app.server.on('connect', (_request, socket) => {
    // Node removes its own error listener here, so a reset would be an uncaught error.
    socket.on('error', () => socket.destroy());
    sendAfter([...exchangesOf(socket).open], () => {
      socket.end(rawResponse({ code: 'NOT_FOUND_ROUTE', details: {} }, parts));
      // Node's timeouts no longer apply to the connection.
      lingeringClose(socket);
    });
  });
}

/** Ignores an unknown `Expect` header, which Node would answer with an empty 417. */
export function acceptUnknownExpect(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
}

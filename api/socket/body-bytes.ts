import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, payloadTooLarge } from '../http/api-error.ts';
import { bodyLimitOf, hasBody } from '../http/bodies/body-limits.ts';
import { senderOf } from './sender.ts';
import { createTurns } from './turns.ts';

/** What of a body is read without a turn: more than most calls have. */
const bytesWithoutTurn = 16 * 1024;
/**
 * One piece of all bodies of a sender is read in a turn of the event loop. Otherwise eight bodies
 * of 1 MiB would be read in one turn, and each call of others waits.
 */
const readInTurn = createTurns({ ofSenderMax: 1 });

/**
 * Checks the length that a body declares, before a byte of it is read. Throws PAYLOAD_TOO_LARGE
 * above the limit of its request.
 */
export function acceptLength(request: FastifyRequest): void {
  const limit = bodyLimitOf(request);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw payloadTooLarge(limit);
}

/**
 * The pieces of a body as they arrive. Throws PAYLOAD_TOO_LARGE as {@link acceptLength}, for a body
 * without a length too, and TOO_MANY_REQUESTS if its caller has too many bytes in progress. The
 * stream stays open when the reader stops.
 */
export async function* bodyPieces(
  request: FastifyRequest,
  payload: Readable,
): AsyncIterable<Buffer> {
  const limit = bodyLimitOf(request);
  let bytes = 0;
  request.onBodyBytes?.(bytes);
  const pieces = payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > limit) throw payloadTooLarge(limit);
    request.onBodyBytes?.(bytes);
    yield piece;
    // Its connection is not read meanwhile.
    if (bytes > bytesWithoutTurn)
      await new Promise<void>((resolve) =>
        readInTurn(senderOf(request.caller, request.ip), resolve),
      );
  }
}

/**
 * Reads the rest of a refused body. Otherwise a caller that still sends could find the connection
 * closed before it reads the response. A body that is too large may be endless, so its response
 * does not wait.
 */
export async function discardRest(payload: Readable, error: unknown): Promise<void> {
  const isRead = readRest(payload);
  if (error instanceof ApiError && error.code === 'PAYLOAD_TOO_LARGE') return;
  await isRead;
}

/** Reads a body that no handler has read before its response, as {@link readRest} does. */
export function discardUnread(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw }, _reply, _payload, done) => {
    if (hasBody(raw) && !raw.readableDidRead) void readRest(raw);
    done();
  });
}

/**
 * Reads 64 KiB of a connection in a turn of the event loop; Node would read 2 MiB. Ends at the end
 * of the body or of its connection.
 */
async function readRest(payload: Readable): Promise<void> {
  const pieces = payload.iterator({ destroyOnReturn: false });
  try {
    while ((await pieces.next()).done !== true) continue;
  } catch {
    // The connection has closed.
  }
}

import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { countBody } from '../auth/call-points.ts';
import { ApiError, payloadTooLarge } from '../http/api-error.ts';
import { largeCallRests } from '../http/large-call-rests.ts';
import { csvType, jobBytesMax, jobItemsMax, ndjsonType } from './job-body.ts';
import { csvReader, malformedText, ndjsonReader, type ItemReader } from './item-readers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Counts these bytes of a body that is read as it arrives; null if a body counts no more than
     * its call.
     */
    countBytes: ((bytes: number) => void) | null;
  }
}

/**
 * Lets the routes of `scope` accept CSV and NDJSON bodies, which are read as they arrive, without
 * the whole text in memory. The body then is `{kind, items}`, with the kind of the query.
 */
export function parseStreamedItems(scope: FastifyInstance): void {
  scope.decorateRequest('countBytes', null);
  scope.addHook('preParsing', (request, reply, _payload, done) => {
    request.countBytes = (bytes) => countBody(request, reply, bytes);
    done();
  });
  scope.addContentTypeParser(csvType, parserOf(csvReader));
  scope.addContentTypeParser(ndjsonType, parserOf(ndjsonReader));
}

const parserOf =
  (readerOf: (add: (item: unknown) => void) => ItemReader) =>
  async (request: FastifyRequest, payload: Readable) => {
    const { kind } = request.query as { readonly kind?: unknown };
    try {
      const bytes = countedBytes(request, payload);
      return { kind, items: await readItems(bytes, readerOf) };
    } catch (error) {
      await discardRest(payload, error);
      throw error;
    }
  };

/**
 * Reads the rest of a refused body. Otherwise a caller that still sends could find the connection
 * closed before it reads the answer. A body that is too large may be endless, so its answer does
 * not wait.
 */
async function discardRest(payload: Readable, error: unknown): Promise<void> {
  payload.resume();
  if (error instanceof ApiError && error.code === 'PAYLOAD_TOO_LARGE') return;
  await finished(payload).catch(() => undefined);
}

/** The pieces of a body, each after it is counted. The stream stays open when the reader stops. */
async function* countedBytes({ countBytes }: FastifyRequest, payload: Readable) {
  let bytes = 0;
  const pieces = payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > jobBytesMax) throw payloadTooLarge(jobBytesMax);
    countBytes?.(bytes);
    yield piece;
  }
}

async function readItems(
  pieces: AsyncIterable<Buffer>,
  readerOf: (add: (item: unknown) => void) => ItemReader,
): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes?: Buffer): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw malformedText('is not UTF-8');
    }
  };
  // One item above the limit is enough for the refusal.
  const reader = readerOf((item) => {
    if (items.length <= jobItemsMax) items.push(item);
  });
  for await (const piece of pieces) {
    // Created here: the wait for the piece is no work.
    const rest = largeCallRests();
    reader.write(decode(piece));
    await rest();
  }
  reader.write(decode());
  reader.end();
  return items;
}

import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { capabilityOfKind, jobKinds, type JobKind } from '../../domain/jobs/job.ts';
import { requireCapability, vendorOf } from '../auth/authenticate.ts';
import { countBody } from '../auth/call-points.ts';
import { tooManyAtOnce, type ApiError } from '../http/api-error.ts';
import { acceptLength, bodyPieces, discardRest } from '../socket/body-bytes.ts';
import { createBodyDecoder } from '../http/bodies/body-text.ts';
import { pauseMsAfter } from '../http/large-call-pauses.ts';
import { createCallQuota } from '../http/quotas/call-quota.ts';
import { csvReader } from './csv-items.ts';
import type { ItemReader } from './item-reader.ts';
import { csvType } from './job-body.ts';
import { jsonReader } from './json-items.ts';

/** Bodies of one vendor that wait until an earlier one is read, and for how long. */
const waitingMax = 20;
const waitMs = 10_000;
/**
 * Characters that a reader takes at once: some milliseconds of work, except for the open quotes of
 * a CSV file. Smaller pieces are gathered, because a reader copies its unfinished record or value
 * with each piece.
 */
const pieceMax = 4 * 1024;
/** The work after which a reader pauses (at most 10 ms, with one more piece). */
const workMsMax = 5;

/**
 * Lets the routes of `scope` accept JSON and CSV bodies, which are read as they arrive and item by
 * item, without the whole text in memory. One body of a vendor is read at a time.
 */
export function parseStreamedItems(scope: FastifyInstance): void {
  const quota = createCallQuota({ max: 1, waitingMax, waitMs });
  const parserOf =
    (readBody: ReadBody) =>
    async (request: FastifyRequest, payload: Readable): Promise<unknown> => {
      const { vendorId } = vendorOf(request);
      acceptLength(request);
      const leave = await quota.enter(vendorId, (gone) => payload.once('close', gone));
      if (leave === null) throw tooManyBodies();
      try {
        return await readBody(request, bodyPieces(request, payload));
      } catch (error) {
        await discardRest(payload, error);
        throw error;
      } finally {
        leave();
      }
    };
  // The bytes of a body count for the rate of its caller as they arrive.
  scope.addHook('preParsing', (request, reply, _payload, done) => {
    const { onBodyBytes } = request;
    if (onBodyBytes !== null)
      request.onBodyBytes = (bytes) => {
        onBodyBytes(bytes);
        countBody(request, reply, bytes);
      };
    done();
  });
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser(
    'application/json',
    parserOf((request, bytes) => readText(request, bytes, jsonReader())),
  );
  scope.addContentTypeParser(csvType, parserOf(readCsv));
}

const tooManyBodies = (): ApiError =>
  tooManyAtOnce(
    'CALLS_IN_PROGRESS',
    'The gateway reads one body of a job of your account at a time. Send them in turn.',
    { maxInProgress: 1 },
  );

type Bytes = AsyncIterable<Buffer>;
type ReadBody = (request: FastifyRequest, bytes: Bytes) => Promise<unknown>;

const isKind = (kind: unknown): kind is JobKind => jobKinds.some((each) => each === kind);

async function readCsv(request: FastifyRequest, bytes: Bytes): Promise<unknown> {
  const { kind } = request.query as { readonly kind?: unknown };
  // The columns depend on the kind. Without one, the check of the body refuses the call, and with
  // another value that of the query, which comes after it.
  if (kind === undefined) return { items: [null] };
  if (!isKind(kind)) return { kind: jobKinds[0], items: [null] };
  requireCapability(vendorOf(request), capabilityOfKind[kind]);
  return { kind, items: await readText(request, bytes, csvReader(kind)) };
}

/** Reads a text in pieces of work of a few milliseconds, and pauses after each in proportion. */
async function readText<T>(
  { headers }: FastifyRequest,
  bytes: Bytes,
  reader: ItemReader<T>,
): Promise<T> {
  const decode = createBodyDecoder(headers['content-type']);
  let workMs = 0;
  const read = async (text: string): Promise<void> => {
    for (let start = 0; start < text.length; start += pieceMax) {
      const begunAt = performance.now();
      reader.write(text.slice(start, start + pieceMax));
      workMs += performance.now() - begunAt;
      if (workMs < workMsMax) continue;
      await delay(pauseMsAfter(workMs));
      workMs = 0;
    }
  };
  let gathered = '';
  for await (const piece of bytes) {
    gathered += decode(piece);
    if (gathered.length < pieceMax) continue;
    await read(gathered);
    gathered = '';
  }
  await read(gathered + decode());
  return reader.end();
}

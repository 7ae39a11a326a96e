import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type * as v from 'valibot';
import { countBody } from '../../auth/call-points.ts';
import { ApiError, apiError } from '../api-error.ts';
import { unknownTransferCoding } from '../../socket/client-errors.ts';
import { malformedBody } from '../error-handler.ts';
import { acceptLength, bodyPieces, discardRest, discardUnread } from '../../socket/body-bytes.ts';
import { hasBody, readsOnly } from './body-limits.ts';
import {
  namesMaxOf,
  namesMaxWithoutSchema,
  refuseTooManyNames,
  type NamesMax,
} from './body-names.ts';
import { createBodyRooms } from '../../socket/body-rooms.ts';
import { createBodyDecoder } from './body-text.ts';

const isEncoded = (encodings: string): boolean =>
  encodings.split(',').some((name) => !['', 'identity'].includes(name.trim().toLowerCase()));

/** 415 for an encoded body, with `Accept-Encoding` (RFC 9110, 15.5.16). */
const unsupportedEncoding = (encodings: string): ApiError =>
  apiError(
    'UNSUPPORTED_MEDIA_TYPE',
    {
      received: encodings.slice(0, 100),
      allowedValues: ['identity'],
      message: 'Content encodings are not supported: send the body uncompressed.',
    },
    { 'accept-encoding': 'identity' },
  );

/**
 * Accepts JSON only; any other media type is 415. A missing body is an empty object, so that the
 * response lists every required field.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', readWhole);
  const roomFor = createBodyRooms(app);
  discardUnread(app);
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    // An empty body may have any content type: `curl -d ''` sends one.
    if (!hasBody(raw)) delete raw.headers['content-type'];
    const coding = raw.headers['transfer-encoding'] ?? 'chunked';
    // Node's parser reports most of these only after it has passed the request on.
    if (coding.toLowerCase() === 'chunked') done();
    else done(new ApiError(unknownTransferCoding, { connection: 'close' }));
  });
  // Before any parser of a route reads the body, and after the checks of the token.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { raw } = request;
    if (readsOnly(raw) || !hasBody(raw)) {
      done();
      return;
    }
    const encodings = raw.headers['content-encoding'] ?? '';
    request.onBodyBytes = roomFor(request, reply);
    if (isEncoded(encodings)) done(unsupportedEncoding(encodings));
    else done();
  });
  app.addHook('preValidation', (request, reply, done) => {
    const { body } = request;
    if (Buffer.isBuffer(body)) {
      countBody(request, reply, body.length);
      request.body = parseJson(request, body);
    }
    // There is no body, unless a parser of the route has read it.
    else request.body ??= {};
    done();
  });
}

async function readWhole(request: FastifyRequest, payload: Readable): Promise<Buffer> {
  acceptLength(request);
  const pieces: Buffer[] = [];
  try {
    for await (const piece of bodyPieces(request, payload)) pieces.push(piece);
  } catch (error) {
    await discardRest(payload, error);
    throw error;
  }
  return Buffer.concat(pieces);
}

/** Reads a whole body as text, within the limits of its route and of its caller. */
export const readText = async (request: FastifyRequest, payload: Readable): Promise<string> =>
  textOf(request, await readWhole(request, payload));

function textOf({ headers }: FastifyRequest, body: Buffer): string {
  const decode = createBodyDecoder(headers['content-type']);
  return decode(body) + decode();
}

/** The names that the body of a request may have, by the schema of its route. */
function namesMaxFor({ routeOptions }: FastifyRequest): NamesMax {
  const body = (routeOptions.schema as { readonly body?: v.GenericSchema } | undefined)?.body;
  return body === undefined ? namesMaxWithoutSchema : namesMaxOf(body);
}

/** Parses the bytes of a body as JSON text. Blank text is an empty object. */
function parseJson(request: FastifyRequest, body: Buffer): unknown {
  refuseTooManyNames(body, namesMaxFor(request));
  const text = textOf(request, body);
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw malformedBody();
  }
}

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { countBody } from '../auth/call-points.ts';
import { malformedBody } from './error-handler.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** 1 MiB (D7). */
export const bodyBytesMax = 1024 * 1024;

/**
 * Accepts JSON only; any other media type is 415. A missing body is an empty object (D4), so that
 * the response lists every required field.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  // An empty body may have any content type: `curl -d ''` sends one (D4).
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const { 'content-length': length = '0', 'transfer-encoding': coding } = headers;
    if (length === '0' && coding === undefined) delete headers['content-type'];
    done();
  });
  app.addHook('preValidation', (request, reply, done) => {
    const { body } = request;
    if (Buffer.isBuffer(body)) countBody(request, reply, body.length);
    parseInto(request, done);
  });
}

/** Decodes the bytes of a body to text. */
function parseInto(request: FastifyRequest, done: (error?: Error) => void): void {
  const { body } = request;
  if (body !== undefined && body !== null && !Buffer.isBuffer(body)) {
    // A parser of the route has already read the body.
    done();
    return;
  }
  try {
    // Replacing invalid UTF-8 could make two different keys equal, so it is refused.
    const text = Buffer.isBuffer(body) ? utf8.decode(body) : '';
    request.body = text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    done(malformedBody());
    return;
  }
  done();
}

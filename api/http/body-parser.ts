import type { FastifyInstance } from 'fastify';
import { malformedBody } from './error-handler.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** 1 MiB (D7). */
export const bodyBytesMax = 1024 * 1024;

/**
 * JSON only; any other media type is 415. No body, with a JSON content type or without one, is an empty one (D4): then
 * every required field is listed, rather than the body.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      // Bytes that are no UTF-8 are refused: replaced ones would make two different keys one.
      const text = utf8.decode(typeof body === 'string' ? Buffer.from(body) : body);
      done(null, text.trim() === '' ? {} : JSON.parse(text));
    } catch {
      done(malformedBody(), undefined);
    }
  });
  // The type of a body that is not there is nobody's business: `curl -d ''` names one (D4).
  app.addHook('onRequest', async ({ raw: { headers } }) => {
    const { 'content-length': length = '0', 'transfer-encoding': coding } = headers;
    if (length === '0' && coding === undefined) delete headers['content-type'];
  });
  app.addHook('preValidation', async (request) => {
    if (request.body === undefined) request.body = {};
  });
}

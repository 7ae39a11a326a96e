import type { FastifyInstance } from 'fastify';
import { malformedBody } from './errors.ts';

/** 1 MiB (D7). */
export const bodyBytesMax = 1024 * 1024;

/**
 * JSON only; any other media type is 415. No body, with a JSON content type or without one, is an empty one (D4): then
 * every required field is listed, rather than the body.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: bodyBytesMax },
    (_request, body, done) => {
      const text = typeof body === 'string' ? body : body.toString('utf8');
      if (text.trim() === '') {
        done(null, {});
        return;
      }
      try {
        done(null, JSON.parse(text));
      } catch {
        done(malformedBody(), undefined);
      }
    },
  );
  app.addHook('preValidation', async (request) => {
    if (request.body === undefined) request.body = {};
  });
}

import type { FastifyInstance } from 'fastify';
import { malformedBody } from './errors.ts';

/** 1 MiB (D7). */
export const bodyBytesMax = 1024 * 1024;

/** JSON only; an empty body with a JSON content type is no body (D4). Any other media type is 415. */
export function parseJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: bodyBytesMax },
    (_request, body, done) => {
      const text = typeof body === 'string' ? body : body.toString('utf8');
      if (text.trim() === '') {
        done(null, undefined);
        return;
      }
      try {
        done(null, JSON.parse(text));
      } catch {
        done(malformedBody(), undefined);
      }
    },
  );
}

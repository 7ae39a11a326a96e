import type { FastifyInstance } from 'fastify';
import { hostFault } from '../../process/health/host.ts';
import { validationErrors } from './api-error.ts';

/**
 * Refuses a request without exactly one `Host`, before any other check: a proxy in front may have
 * read another one than the gateway does.
 */
export function requireHost(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const message = hostFault(raw);
    if (message === null) {
      done();
      return;
    }
    const code = message === 'is required' ? 'required' : 'malformed';
    done(validationErrors({ field: 'Host', path: '', code, message }));
  });
}

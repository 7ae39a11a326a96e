import type { FastifyInstance } from 'fastify';
import { apiError } from './api-error.ts';
import type { Dependencies } from '../dependencies.ts';

/** `/health`: the process runs. `/ready`: its database answers. Vendors do not need Temporal. */
export function healthRoutes(app: FastifyInstance, { probe, drain }: Dependencies): void {
  app.get('/health', { schema: { hide: true } }, async () => ({ healthy: true }));
  app.get('/ready', { schema: { hide: true } }, async (request) => {
    if (drain.isDraining()) throw apiError('SERVICE_UNAVAILABLE', {}, { 'retry-after': '5' });
    await probe`select 1`.catch((error: unknown) => {
      // Any database error keeps traffic away.
      request.log.error({ err: error }, 'the database is not ready');
      throw apiError('SERVICE_UNAVAILABLE', {}, { 'retry-after': '5' });
    });
    return { ready: true };
  });
}

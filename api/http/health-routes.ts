import type { FastifyInstance } from 'fastify';
import { apiError } from './api-error.ts';
import type { Dependencies } from '../dependencies.ts';

/** `/health`: the process answers. `/ready`: so does its database; Temporal is not asked, vendors do not need it. */
export function healthRoutes(app: FastifyInstance, { sql }: Dependencies): void {
  app.get('/health', { schema: { hide: true } }, async () => ({ healthy: true }));
  app.get('/ready', { schema: { hide: true } }, async (request) => {
    await sql`select 1`.catch((error: unknown) => {
      // Whatever is wrong with it: no traffic meanwhile.
      request.log.error({ err: error }, 'the database is not ready');
      throw apiError('SERVICE_UNAVAILABLE', {}, { 'retry-after': '5' });
    });
    return { ready: true };
  });
}

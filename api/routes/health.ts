import type { FastifyInstance } from 'fastify';
import type { Dependencies } from '../dependencies.ts';

/** `/health`: the process answers. `/ready`: so does its database; Temporal is not asked, vendors do not need it. */
export function healthRoutes(app: FastifyInstance, { sql }: Dependencies): void {
  app.get('/health', { schema: { hide: true } }, async () => ({ healthy: true }));
  app.get('/ready', { schema: { hide: true } }, async () => {
    await sql`select 1`;
    return { ready: true };
  });
}

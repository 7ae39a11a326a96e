import type { FastifyInstance } from 'fastify';
import { businessNow } from '../../db/core/clock.ts';
import type { Queryable } from '../../db/core/client.ts';

/**
 * Adds `X-Sandbox-Time` to every response: the time by the clock of the token's vendor, real time
 * without a vendor (D132). Without Postgres the header is missing.
 */
export function sendSandboxTime(app: FastifyInstance, sql: Queryable): void {
  app.addHook('onSend', async ({ caller }, reply) => {
    const vendorId = caller?.side === 'vendor' ? caller.vendorId : null;
    const now = await businessNow(sql, vendorId).catch(() => null);
    if (now !== null) void reply.header('x-sandbox-time', now.toISOString());
  });
}

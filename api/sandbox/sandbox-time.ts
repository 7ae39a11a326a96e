import type { FastifyInstance } from 'fastify';
import { businessNow } from '../../db/core/clock.ts';
import type { Queryable } from '../../db/core/client.ts';

/**
 * Adds `X-Sandbox-Time` to every response: the time by the clock of the token's vendor, real time
 * without a vendor (D132). Real time is this host's, so that `/ready` answers while Postgres hangs.
 * Without Postgres, a vendor's response has no header.
 */
export function sendSandboxTime(app: FastifyInstance, sql: Queryable): void {
  app.addHook('onSend', async ({ caller }, reply) => {
    const isVendor = caller?.side === 'vendor';
    const now = isVendor ? await businessNow(sql, caller.vendorId).catch(() => null) : new Date();
    if (now !== null) void reply.header('x-sandbox-time', now.toISOString());
  });
}

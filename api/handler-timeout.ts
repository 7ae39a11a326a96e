import type { FastifyInstance } from 'fastify';
import { apiError } from './api-error.ts';

/**
 * Tells a caller whose handler waits for a silent dependency, after `timeoutMs`, instead of leaving it to a cut connection.
 * Fastify's own `handlerTimeout` does not do: it stops with the request's `close`, which Node emits as soon as the body is read.
 */
export function limitHandlers(app: FastifyInstance, timeoutMs: number): void {
  app.addHook('onRequest', async (_request, reply) => {
    const timer = setTimeout(() => {
      if (!reply.sent) void reply.send(apiError('GATEWAY_TIMEOUT'));
    }, timeoutMs);
    reply.raw.once('close', () => {
      clearTimeout(timer);
    });
  });
}

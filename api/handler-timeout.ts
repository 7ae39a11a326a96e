import type { FastifyInstance } from 'fastify';
import { apiError } from './api-error.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For a route whose answer may take longer than others', in ms. */
    handlerTimeoutMs?: number;
  }
}

/**
 * Tells a caller whose handler waits for a silent dependency, after `timeoutMs`, instead of leaving it to a cut connection.
 * Fastify's own `handlerTimeout` does not do: it stops with the request's `close`, which Node emits as soon as the body is read.
 */
export function limitHandlers(app: FastifyInstance, timeoutMs: number): void {
  app.addHook('onRequest', async (request, reply) => {
    const timer = setTimeout(() => {
      if (!reply.sent) void reply.send(apiError('GATEWAY_TIMEOUT'));
    }, request.routeOptions.config.handlerTimeoutMs ?? timeoutMs);
    reply.raw.once('close', () => {
      clearTimeout(timer);
    });
  });
}

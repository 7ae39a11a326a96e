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
    const limitMs = request.routeOptions.config.handlerTimeoutMs ?? timeoutMs;
    const start = (): NodeJS.Timeout =>
      setTimeout(() => {
        // While the body is on its way it is the client that is slow: the server's own limit ends that, with 408.
        if (!request.raw.complete) timer = start();
        else if (!reply.sent) void reply.send(apiError('GATEWAY_TIMEOUT'));
      }, limitMs);
    let timer = start();
    reply.raw.once('close', () => {
      clearTimeout(timer);
    });
  });
}

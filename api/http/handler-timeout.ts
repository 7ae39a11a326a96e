import type { FastifyInstance } from 'fastify';
import { apiError } from './api-error.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The time limit of a route that may take longer than the others, in ms. */
    handlerTimeoutMs?: number;
  }
}

/**
 * Sends GATEWAY_TIMEOUT when a handler takes longer than `timeoutMs`. Fastify's `handlerTimeout` is
 * not used: it ends with the request's `close` event, which Node emits once the body is read.
 */
export function limitHandlers(app: FastifyInstance, timeoutMs: number): void {
  app.addHook('onRequest', (request, reply, done) => {
    const limitMs = request.routeOptions.config.handlerTimeoutMs ?? timeoutMs;
    const start = (): NodeJS.Timeout =>
      setTimeout(() => {
        // The body is still arriving: the server's request timeout handles a slow client (408).
        if (!request.raw.complete) timer = start();
        else if (!reply.sent) void reply.send(apiError('GATEWAY_TIMEOUT'));
      }, limitMs);
    let timer = start();
    reply.raw.once('close', () => {
      clearTimeout(timer);
    });
    done();
  });
}

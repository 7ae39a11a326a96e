import type { FastifyInstance } from 'fastify';
import { apiError } from './api-error.ts';

/**
 * Sends GATEWAY_TIMEOUT when a handler takes longer than `timeoutMs`. Fastify's `handlerTimeout` is
 * not used: it ends with the request's `close` event, which Node emits once the body is read.
 */
export function limitHandlers(app: FastifyInstance, timeoutMs: number): void {
  app.addHook('onRequest', (request, reply, done) => {
    const ms = request.routeOptions.config.handlerTimeoutMs ?? timeoutMs;
    const endHandler = (): void => {
      // The body is still arriving: the server's request timeout handles a slow client (408).
      if (!request.raw.complete) timer = setTimeout(endHandler, ms);
      // A body that streams is no handler any more: `sent` is false until its end.
      else if (!reply.sent && !reply.raw.headersSent) void reply.send(apiError('GATEWAY_TIMEOUT'));
    };
    let timer = setTimeout(endHandler, ms);
    reply.raw.once('close', () => {
      clearTimeout(timer);
    });
    done();
  });
}

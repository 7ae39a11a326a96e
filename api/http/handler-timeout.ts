import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { apiError } from './api-error.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The time limit of a route that may take longer than the others, in ms. */
    handlerTimeoutMs?: number;
  }
}

type Limit = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly ms: number;
  timer?: NodeJS.Timeout;
};

function startTimer(limit: Limit): void {
  limit.timer = setTimeout(endHandler, limit.ms, limit);
}

function endHandler(limit: Limit): void {
  const { request, reply } = limit;
  // The body is still arriving: the server's request timeout handles a slow client (408).
  if (!request.raw.complete) startTimer(limit);
  // A body that streams is no handler any more: `sent` is false until its end.
  else if (!reply.sent && !reply.raw.headersSent) void reply.send(apiError('GATEWAY_TIMEOUT'));
}

/**
 * Sends GATEWAY_TIMEOUT when a handler takes longer than `timeoutMs`. Fastify's `handlerTimeout` is
 * not used: it ends with the request's `close` event, which Node emits once the body is read.
 */
export function limitHandlers(app: FastifyInstance, timeoutMs: number): void {
  app.addHook('onRequest', (request, reply, done) => {
    const ms = request.routeOptions.config.handlerTimeoutMs ?? timeoutMs;
    const limit: Limit = { request, reply, ms };
    startTimer(limit);
    reply.raw.once('close', () => {
      clearTimeout(limit.timer);
    });
    done();
  });
}

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** At most 128 HTTP token characters. */
const validId = /^[!#$%&'*+\-.^_`|~\dA-Za-z]{1,128}$/;

/** The caller's id when it is valid, otherwise a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && validId.test(given) ? given : randomUUID();
}

/** Sends the id with every response, errors and unknown routes included. */
export function sendRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
}

import type { IncomingMessage } from 'node:http';
import { v7 as uuidv7 } from 'uuid';
import type { FastifyInstance } from 'fastify';

/** At most 128 HTTP token characters (D9, D70). */
const validId = /^[!#$%&'*+\-.^_`|~\dA-Za-z]{1,128}$/;

/** The caller's id when it is valid, otherwise a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && validId.test(given) ? given : uuidv7();
}

/** Sends the id with every response, errors and unknown routes included. */
export function sendRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
  });
}

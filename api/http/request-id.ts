import type { IncomingMessage } from 'node:http';
import { v7 as uuidv7 } from 'uuid';
import type { FastifyInstance } from 'fastify';

/** HTTP token characters, at most 128 of them (D9, D70). */
const sane = /^[!#$%&'*+\-.^_`|~\dA-Za-z]{1,128}$/;

/** The caller's id when it is a sane one, else ours. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && sane.test(given) ? given : uuidv7();
}

/** Every answer carries the id, errors and unknown routes included. */
export function answerRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
  });
}

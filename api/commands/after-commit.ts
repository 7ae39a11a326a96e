import type { FastifyRequest } from 'fastify';

/** Calls the function once the command of a call is committed; never if nothing is committed. */
export function afterCommit(request: FastifyRequest, run: () => void): void {
  request.committed ??= [];
  request.committed.push(run);
}

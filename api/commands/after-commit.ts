import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** What runs once the command of the call is committed; null until something does. */
    committed: (() => void)[] | null;
  }
}

/** Calls the function once the command of a call is committed; never if nothing is committed. */
export function afterCommit(request: FastifyRequest, run: () => void): void {
  request.committed ??= [];
  request.committed.push(run);
}

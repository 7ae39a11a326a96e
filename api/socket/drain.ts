import type { FastifyInstance } from 'fastify';

/**
 * The time before a restart in which the process still answers calls, and asks callers to use
 * another process.
 */
export type Drain = {
  readonly isDraining: () => boolean;
  /** `/ready` answers 503 from now on, and every response closes its connection. */
  readonly begin: () => void;
};

export function createDrain(): Drain {
  let isDraining = false;
  return {
    isDraining: () => isDraining,
    begin: () => {
      isDraining = true;
    },
  };
}

/**
 * Asks callers to close their connections while the process drains. Closing an idle connection
 * instead could meet a request on its way, which the caller may not repeat.
 */
export function closeAnsweredConnections(app: FastifyInstance, { isDraining }: Drain): void {
  app.server.prependListener('request', (_request, response) => {
    if (isDraining()) response.shouldKeepAlive = false;
  });
  // Covers requests that arrived before the drain. After a 413, the error handler closes the
  // connection itself.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isDraining() && reply.statusCode !== 413) reply.raw.shouldKeepAlive = false;
    done();
  });
}

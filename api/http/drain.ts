import type { FastifyInstance } from 'fastify';

/** The time before a restart in which the process answers calls but asks for no new ones. */
export type Drain = {
  readonly isDraining: () => boolean;
  /** `/ready` answers 503 from now on, and every answer closes its connection. */
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
  // For requests that arrived before the drain. The error handler closes after a 413 by itself.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isDraining() && reply.statusCode !== 413) reply.raw.shouldKeepAlive = false;
    done();
  });
}

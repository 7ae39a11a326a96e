import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Asks callers to close their connections while the process drains. Closing an idle connection
 * instead could meet a request on its way, which the caller may not repeat.
 */
export function closeAnsweredConnections(app: FastifyInstance, drain: AbortSignal): void {
  app.server.prependListener('request', (_request, response) => {
    if (drain.aborted) response.shouldKeepAlive = false;
  });
  // Covers requests that arrived before the drain. After a 413, the error handler closes the
  // connection itself.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (drain.aborted && reply.statusCode !== 413) reply.raw.shouldKeepAlive = false;
    done();
  });
}

/** A caller sends its first request in this time. */
const silentMs = 1000;

/**
 * Closes with the server the connections on which no byte has come, such as those that a browser
 * opens in advance. For Node they have a request in progress, whose end it would wait for.
 */
export function closeSilentConnections(app: FastifyInstance): void {
  /** When each connection began. */
  const open = new Map<Socket, number>();
  app.server.on('connection', (socket: Socket) => {
    open.set(socket, performance.now());
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('preClose', async () => {
    for (const [socket, begunMs] of open) {
      const close = (): void => {
        if (socket.bytesRead === 0) socket.destroy();
      };
      // The first bytes of a young connection may be on their way.
      const youngMs = begunMs + silentMs - performance.now();
      if (youngMs <= 0) close();
      else setTimeout(close, youngMs);
    }
  });
}

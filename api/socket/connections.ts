import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { createTurns } from './turns.ts';

/** Requests of one connection that run at the same time. */
const runningMax = 20;
/** Requests of one read of a connection that wait until an earlier request is answered. */
const waitingMax = 200;
/** Requests that begin in one turn of the event loop. */
export const beginMax = { ofSenderMax: 8, ofAllMax: 64 };
/** The least time between two lines of the log about refused connections. */
const logPauseMs = 60_000;

export type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

type Connection = {
  /** Undefined once it has ended. */
  latest: Exchange | undefined;
  /** The exchanges without a whole response, oldest first. */
  readonly open: Set<Exchange>;
  /** The requests of these that run. */
  running: number;
  readonly waiting: (() => void)[];
};

const connections = new WeakMap<Duplex, Connection>();

/** The latest exchange of a connection, and its open ones, oldest first. */
export const exchangesOf = (
  socket: Duplex,
): { readonly latest?: Exchange | undefined; readonly open: ReadonlySet<Exchange> } =>
  connections.get(socket) ?? { open: new Set() };

function newConnection(socket: Duplex, latest: Exchange): Connection {
  const connection: Connection = { latest, open: new Set(), running: 0, waiting: [] };
  connections.set(socket, connection);
  // Node ends only the response that is being sent. What waits for the end of another one, such as
  // a permit of a quota, would wait for ever.
  socket.once('close', () => {
    for (const { response } of connection.open) {
      response.destroy();
      response.emit('close');
    }
  });
  return connection;
}

/**
 * Runs at most 20 requests of a connection at a time. Others wait, and the connection is not read
 * meanwhile. More than 200 of one read close the connection. Requests of all connections
 * begin one of each sender in turn. Called before any other function listens for requests.
 */
export function limitPipelining(
  { server }: FastifyInstance,
  senderOf: (request: IncomingMessage) => string,
): void {
  const handlers = server.listeners('request');
  server.removeAllListeners('request');
  const beginInTurn = createTurns(beginMax);
  server.on('request', (request, response) => {
    const { socket } = request;
    const exchange = { request, response };
    const connection = connections.get(socket) ?? newConnection(socket, exchange);
    const { open, waiting } = connection;
    connection.latest = exchange;
    open.add(exchange);
    let isRunning = false;
    const forget = (): void => {
      if (connection.latest === exchange) connection.latest = undefined;
    };
    const begin = (): void => {
      isRunning = true;
      connection.running += 1;
      beginInTurn(senderOf(request), () => {
        if (socket.destroyed) return;
        for (const handle of handlers) handle.call(server, request, response);
      });
    };
    response.once('close', () => {
      open.delete(exchange);
      // An idle connection would hold it, with its body.
      if (request.complete) forget();
      else request.once('end', forget);
      if (isRunning) connection.running -= 1;
      if (socket.destroyed || waiting.length === 0) return;
      waiting.shift()?.();
      if (waiting.length === 0) socket.resume();
    });
    if (connection.running < runningMax) begin();
    else if (waiting.length < waitingMax) {
      waiting.push(begin);
      // Node resumes the connection when it has read the request.
      process.nextTick(() => {
        if (waiting.length > 0) socket.pause();
      });
    } else socket.destroy();
  });
}

/** Closes each connection above the limit of the process at once, and says so in the log. */
export function limitConnections(
  { server }: FastifyInstance,
  { connectionsMax, log }: { readonly connectionsMax: number; readonly log: FastifyBaseLogger },
): void {
  server.maxConnections = connectionsMax;
  let loggedAtMs = -Infinity;
  server.on('drop', () => {
    if (performance.now() - loggedAtMs < logPauseMs) return;
    loggedAtMs = performance.now();
    log.warn({ connectionsMax }, 'the process has CONNECTIONS_MAX connections and closes new ones');
  });
}

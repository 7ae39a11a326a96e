import { createServer, type ServerHttp2Stream } from 'node:http2';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { onTestFinished } from 'vitest';
import { connect, type Pool } from '../../../db/core/client.ts';
import { listen } from '../../../process/health/listen.ts';

/** A port of this machine on which a server of the test's own listens until the test ends. */
const listening = async (server: Server): Promise<number> =>
  Number(new URL(await listen(server, { host: '127.0.0.1', port: 0 })).port);

/**
 * A server that does one thing with each connection; it ends with the test, and counts them until
 * then.
 */
export async function tcpServer(greet: (socket: Socket) => unknown) {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    greet(socket);
  });
  const port = await listening(server);
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { port, connections: () => sockets.length };
}

/** A pool of the API's own kind that ends with the test. */
export function poolTo(url: string): Pool {
  const sql = connect(url, { max: 2, name: 'error codes' });
  onTestFinished(() => sql.end({ timeout: 1 }));
  return sql;
}

/**
 * The API's own client of a Temporal at that port. It is left open: the SDK throws out of a timer
 * where a connection is closed while a call waits to be tried again.
 */
export const clientAt = (port: number): Client =>
  new Client({
    connection: Connection.lazy({ address: `127.0.0.1:${port}`, connectTimeout: 2000 }),
  });

const grpcHeaders = { ':status': 200, 'content-type': 'application/grpc' } as const;

/** What a server that says it is up answers to everything else that it is asked. */
const answersOf = {
  /** A web server, which knows no such page. */
  nonsense: (stream) => {
    stream.respond({ ':status': 404, 'content-type': 'text/html' });
    stream.end('<h1>Not found at 10.0.0.7</h1>');
  },
  nothing: () => undefined,
  'a refusal of our key': (stream) => {
    const failure = { 'grpc-status': '16', 'grpc-message': 'key of 10.0.0.7 unknown' };
    stream.respond({ ...grpcHeaders, ...failure }, { endStream: true });
  },
} as const satisfies Record<string, (stream: ServerHttp2Stream) => void>;

/** A server that speaks Temporal's protocol as far as its greeting; returns its port. */
export async function temporalThatAnswers(kind: keyof typeof answersOf): Promise<number> {
  const server = createServer();
  server.on('stream', (stream, { ':path': path = '' }) => {
    stream.on('error', () => undefined);
    if (!path.endsWith('/GetSystemInfo')) {
      answersOf[kind](stream);
      return;
    }
    stream.respond(grpcHeaders, { waitForTrailers: true });
    stream.on('wantTrailers', () => {
      stream.sendTrailers({ 'grpc-status': '0' });
    });
    // An empty message, uncompressed.
    stream.end(Buffer.alloc(5));
  });
  const port = await listening(server);
  onTestFinished(() => {
    server.close();
  });
  return port;
}

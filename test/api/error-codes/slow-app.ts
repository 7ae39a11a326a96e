import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { onTestFinished } from 'vitest';
import { buildApp } from '../../../api/app.ts';
import type { Dependencies } from '../../../api/dependencies.ts';
import { appOptions } from '../../support/api/api.ts';
import { baseUrlOf } from './http.ts';

/** An app of the test's own, with limits that a test can wait for. It ends with the test. */
export async function appWith(
  dependencies: Dependencies,
  options: {
    readonly log?: Logger;
    readonly requestTimeoutMs?: number;
    readonly handlerTimeoutMs?: number;
    readonly keepAliveMs?: number;
    readonly publicUrl?: string;
    readonly trustProxy?: readonly string[];
  } = {},
): Promise<{ readonly app: FastifyInstance }> {
  const app = await buildApp(dependencies, { ...appOptions, ...options });
  onTestFinished(() => app.close());
  return { app };
}

/**
 * A connection to the app, past every client that would mend what is wrong with a request; it ends
 * with the test.
 */
export async function rawConnection({ app }: { readonly app: FastifyInstance }): Promise<Socket> {
  const { port } = new URL(await baseUrlOf(app));
  const socket = connect(Number(port), '127.0.0.1');
  // A reset is one of the ways to be refused: what was answered before it is what counts.
  socket.on('error', () => undefined);
  onTestFinished(() => {
    socket.destroy();
  });
  await once(socket, 'connect');
  return socket;
}

/** The bytes of a request up to its body. */
export const requestHead = (method: string, path: string, ...headers: readonly string[]) =>
  [`${method} ${path} HTTP/1.1`, 'host: x', ...headers, '\r\n'].join('\r\n');

/** Sends bytes, without ending its side, and reads what is answered until the other side closes. */
export async function rawResponse(
  gateway: { readonly app: FastifyInstance },
  bytes: string,
): Promise<string> {
  const socket = await rawConnection(gateway);
  socket.write(bytes);
  return text(socket);
}

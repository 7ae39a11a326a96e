import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export type Listener = { readonly origin: string; readonly close: () => Promise<void> };

/** Starts an HTTP server on a free port of the loopback interface. */
export async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Listener> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('a server has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Starts a webhook receiver: it answers 200, and 500 if the path ends in `/fails`. */
export const startReceiver = (): Promise<Listener> =>
  listen((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(request.url?.endsWith('/fails') === true ? 500 : 200).end();
    });
  });

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Serves `GET /health`: 200 while the worker polls, 503 otherwise, with the number of outbox
 * messages set aside (null until it is known).
 */
export async function startHealthServer(options: {
  readonly host: string;
  readonly port: number;
  readonly isHealthy: () => boolean;
  readonly messagesSetAside: () => number | null;
}): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const isHealthy = options.isHealthy();
    const status = request.url === '/health' ? (isHealthy ? 200 : 503) : 404;
    const body = { healthy: isHealthy, messagesSetAside: options.messagesSetAside() };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, options.host, resolve);
  });
  // The address of a TCP server is an AddressInfo. Only that of a pipe is a string.
  const { port } = server.address() as AddressInfo;
  return { url: `http://${options.host}:${port}/health`, server };
}

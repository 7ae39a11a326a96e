import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `GET /health` answers 200 while the worker polls, else 503. */
export async function startHealthServer(options: {
  readonly host: string;
  readonly port: number;
  readonly isHealthy: () => boolean;
}): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const isHealthy = options.isHealthy();
    const status = request.url === '/health' ? (isHealthy ? 200 : 503) : 404;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ healthy: isHealthy }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, options.host, resolve);
  });
  // A TCP server's address is an AddressInfo; only a pipe's is a string.
  const { port } = server.address() as AddressInfo;
  return { url: `http://${options.host}:${port}/health`, server };
}

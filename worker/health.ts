import { createServer, type Server, type ServerResponse } from 'node:http';
import { checkParts, type Check } from '../process/health/check-parts.ts';
import { hostFault } from '../process/health/host.ts';
import { listen } from '../process/health/listen.ts';

/**
 * Serves `GET /health`: 200 while all parts of the worker are `ok`, otherwise 503. The body has the
 * state of each part, and the numbers of outbox messages set aside and of webhook secrets whose key
 * is missing (null until they are known). `GET /live` answers 200 while the process runs.
 */
export async function startHealthServer(options: {
  readonly host: string;
  readonly port: number;
  readonly checks: Readonly<Record<string, Check>>;
  readonly onFailure: (part: string, error: unknown) => void;
  readonly messagesSetAside: () => number | null;
  readonly secretsWithoutKey: () => number | null;
}): Promise<{ url: string; server: Server }> {
  const respondTo = async (path: string | undefined): Promise<readonly [number, object]> => {
    if (path === '/live') return [200, { live: true }];
    if (path !== '/health') return [404, {}];
    const parts = await checkParts(options.checks, options.onFailure);
    const healthy = Object.values(parts).every((state) => state === 'ok');
    const messagesSetAside = options.messagesSetAside();
    const secretsWithoutKey = options.secretsWithoutKey();
    return [healthy ? 200 : 503, { healthy, parts, messagesSetAside, secretsWithoutKey }];
  };
  const respond = async (path: string | undefined, response: ServerResponse): Promise<void> => {
    const [status, body] = await respondTo(path);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => {
    if (hostFault(request) === null) void respond(request.url, response);
    else response.writeHead(400).end();
  });
  return { url: `${await listen(server, options)}/health`, server };
}

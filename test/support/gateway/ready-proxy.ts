import { once } from 'node:events';
import {
  Agent,
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '../../../process/health/listen.ts';
import { startPollLoop } from '../../../relay/poll-loop.ts';

const isReady = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(`${url}/ready`);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
};

const readyWithinMs = 3000;

/**
 * A proxy in front of several API processes, as production has one. Sends calls in turn to the
 * processes that are ready, over kept connections, and repeats none. It asks `/ready` every
 * `everyMs`. A pause of Postgres or of the machine makes every process fail one check, so a call
 * waits three seconds for a process that is ready; then it gets an empty 503. A call that a process
 * does not answer gets an empty 502.
 */
export async function startReadyProxy(everyMs: number) {
  const agent = new Agent({ keepAlive: true });
  const upstreams = new Map<string, boolean>();
  const ready = () => [...upstreams].flatMap(([url, isUp]) => (isUp ? [url] : []));
  let calls = 0;
  const untilReady = async (): Promise<void> => {
    const begunAt = performance.now();
    while (ready().length === 0 && performance.now() - begunAt < readyWithinMs)
      await delay(everyMs);
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await untilReady();
    const targets = ready();
    calls += 1;
    const target = targets[calls % targets.length];
    if (target === undefined || response.destroyed) {
      response.writeHead(503).end();
      return;
    }
    const { method, headers, url = '' } = request;
    const upstream = sendRequest(`${target}${url}`, { method, headers, agent }, (received) => {
      const { connection: _connection, ...kept } = received.headers;
      response.writeHead(received.statusCode ?? 502, kept);
      received.pipe(response);
    });
    upstream.on('error', () => response.writeHead(502).end());
    request.pipe(upstream);
  };
  const server = createServer((request, response) => void handle(request, response));
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  const following = startPollLoop(async () => {
    for (const url of upstreams.keys()) {
      const isUp = await isReady(url);
      if (upstreams.has(url)) upstreams.set(url, isUp);
    }
    return { ms: everyMs };
  });
  return {
    url,
    /** Takes a process among those that it asks. */
    add: (url: string) => upstreams.set(url, false),
    remove: (url: string) => upstreams.delete(url),
    /** The processes whose `/ready` answers 200. */
    ready,
    close: async (): Promise<void> => {
      await following.stop();
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

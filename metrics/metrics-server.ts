import { createServer } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { listen } from '../health/listen.ts';

/** A registry with the metrics of the Node process: event-loop lag, memory, processor time. */
export function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'vendor_gateway_' });
  return registry;
}

/**
 * Serves `GET /metrics` in the text format of Prometheus on a port of its own. `readMore` gives the
 * text of metrics that another library exports; without it they are missing from the answer.
 */
export async function startMetricsServer({
  registry,
  host,
  port,
  readMore = () => Promise.resolve(''),
}: {
  readonly registry: Registry;
  readonly host: string;
  readonly port: number;
  readonly readMore?: () => Promise<string>;
}): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    Promise.all([registry.metrics(), readMore().catch(() => '')]).then(
      (texts) =>
        response.writeHead(200, { 'content-type': registry.contentType }).end(texts.join('')),
      () => response.writeHead(500).end(),
    );
  });
  const origin = await listen(server, { host, port });
  return {
    url: `${origin}/metrics`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

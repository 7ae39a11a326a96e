import { createServer } from 'node:http';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import { hostFault } from '../health/host.ts';
import { listen } from '../health/listen.ts';

/**
 * Serves `GET /metrics` in the text format of Prometheus on a port of its own. Adds the metrics of
 * the Node process, such as event-loop lag and memory: a timer of 10 ms measures the lag, so they
 * are only collected where they are served. `readMore` gives the text of metrics that another
 * library exports; without it they are missing from the response.
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
  collectDefaultMetrics({ register: registry, prefix: 'vendor_gateway_' });
  const server = createServer((request, response) => {
    if (hostFault(request) !== null || request.url !== '/metrics') {
      response.writeHead(hostFault(request) === null ? 404 : 400).end();
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

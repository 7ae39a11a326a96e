import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Counts and times the requests by route and code, and the security events of the process. */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'vendor_gateway_request_duration_seconds',
    help: 'Time from the arrival of a request to its response',
    labelNames: ['route', 'code'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  const inProgress = new Gauge({
    name: 'vendor_gateway_requests_in_progress',
    help: 'Requests without a response',
    registers: [registry],
  });
  const longPolls = new Gauge({
    name: 'vendor_gateway_event_waits',
    help: 'Long polls of the event feed, part of the requests in progress',
    registers: [registry],
  });
  const events = new Counter({
    name: 'vendor_gateway_security_events_total',
    help: 'Security events by name',
    labelNames: ['event'],
    registers: [registry],
    collect: () => {
      events.reset();
      for (const [event, total] of Object.entries(app.securityEvents.totals()))
        events.inc({ event }, total);
    },
  });
  app.addHook('onRequest', ({ routeOptions }, reply, done) => {
    const gauges = routeOptions.config.isLongPoll === true ? [inProgress, longPolls] : [inProgress];
    for (const gauge of gauges) gauge.inc();
    reply.raw.once('close', () => {
      for (const gauge of gauges) gauge.dec();
    });
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, errorCode } = request;
    // Callers choose paths, so their number has no limit; routes are few.
    const route = routeOptions.url === undefined ? 'none' : `${method} ${routeOptions.url}`;
    const code = errorCode ?? (reply.statusCode < 400 ? 'SUCCESS' : String(reply.statusCode));
    durations.observe({ route, code }, reply.elapsedTime / 1000);
    done();
  });
}

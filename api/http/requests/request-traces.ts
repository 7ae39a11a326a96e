import type { FastifyInstance, FastifyRequest } from 'fastify';
import { inTrace, parseTraceparent } from '../../../process/tracing/trace-context.ts';
import type { Span, Tracing } from '../../../process/tracing/tracing.ts';
import { callerIds } from './log-fields.ts';

/** Supervisors and orchestrators call these every few seconds. */
const probes: ReadonlySet<string | undefined> = new Set(['/health', '/ready']);

/** A caller's traceparent: at most a link, so that callers neither choose nor join a trace. */
function linkOf({ headers }: FastifyRequest): string | undefined {
  const { traceparent } = headers;
  if (typeof traceparent !== 'string' || parseTraceparent(traceparent) === null) return undefined;
  return traceparent;
}

/** Begins a trace with each request, and ends its span with the response. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions } = request;
    if (probes.has(routeOptions.url)) return done();
    const span = tracing.begin({
      // The path of a request contains ids, the path of its route does not.
      name: routeOptions.url === undefined ? method : `${method} ${routeOptions.url}`,
      kind: 'server',
      parent: null,
      link: linkOf(request),
      attributes: {
        'http.request.method': method,
        'http.route': routeOptions.url,
        requestId: request.id,
      },
    });
    spans.set(request, span);
    inTrace(span.traceparent, done);
  });
  // A body arrives outside of the context that `onRequest` has entered.
  app.addHook('preValidation', (request, _reply, done) => {
    inTrace(spans.get(request)?.traceparent ?? null, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    if (span === undefined) return done();
    const { errorCode, workflowId } = request;
    const { vendorId } = callerIds(request);
    span.set({
      'http.response.status_code': reply.statusCode,
      state: errorCode ?? (reply.statusCode < 400 ? 'SUCCESS' : null),
      vendorId,
      workflowId,
    });
    if (reply.statusCode >= 500) span.fail(errorCode ?? String(reply.statusCode));
    span.end();
    done();
  });
}

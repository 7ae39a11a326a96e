import { setTimeout as delay } from 'node:timers/promises';
import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type SpanContext,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Logger } from 'pino';
import { parseTraceparent } from './trace-context.ts';
import type { Attributes, Span, SpanOptions, Tracing } from './tracing.ts';

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

const silent = () => undefined;

/** The longest wait for the collector when the process ends. */
const stopMs = 3000;

/**
 * Records spans and sends them by OTLP over HTTP. The packages read the `OTEL_*` variables of the
 * exporter, the sampler, the limits and the resource themselves.
 */
export function createTracing(options: {
  /** The name of the process where OTEL_SERVICE_NAME gives none. */
  readonly serviceName: string;
  readonly version: string;
  readonly log: Logger;
}): Tracing {
  const { serviceName, version, log } = options;
  const warn = (message: string): void => log.warn({ detail: message }, 'tracing has a problem');
  diag.setLogger(
    { error: warn, warn, info: silent, debug: silent, verbose: silent },
    DiagLogLevel.WARN,
  );
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('vendor-gateway', version);
  return {
    begin: ({ name, kind, parent, link, attributes, startMs }) => {
      const linked = spanContextOf(link);
      const span = tracer.startSpan(
        name,
        {
          kind: kinds[kind],
          attributes: presentIn(attributes),
          ...(linked === null ? {} : { links: [{ context: linked }] }),
          ...(startMs === undefined ? {} : { startTime: startMs }),
        },
        contextOf(parent),
      );
      return {
        traceparent: span.isRecording() ? traceparentOf(span.spanContext()) : null,
        set: (more) => span.setAttributes(presentIn(more)),
        fail: (message) => span.setStatus({ code: SpanStatusCode.ERROR, message }),
        end: () => span.end(),
      } satisfies Span;
    },
    stop: async () => {
      const over = new AbortController();
      await Promise.race([
        provider.shutdown().catch((error: unknown) => {
          log.warn({ err: error }, 'the last spans were not sent');
        }),
        delay(stopMs, undefined, { signal: over.signal, ref: false }).catch(() => undefined),
      ]);
      over.abort();
    },
  };
}

const presentIn = (attributes: Attributes) =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, value] as const],
    ),
  );

function spanContextOf(traceparent: string | null | undefined): SpanContext | null {
  const name = parseTraceparent(traceparent);
  if (name === null) return null;
  const traceFlags = name.isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return { traceId: name.traceId, spanId: name.spanId, traceFlags, isRemote: true };
}

function contextOf(parent: SpanOptions['parent']): Context {
  const spanContext = spanContextOf(parent);
  return spanContext === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContext);
}

const traceparentOf = ({ traceId, spanId }: SpanContext): string => `00-${traceId}-${spanId}-01`;

import { inTrace, currentTraceparent, parseTraceparent } from './trace-context.ts';

/** Facts about a span: names of routes, states and kinds, and ids; nothing that people wrote. */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

export type SpanOptions = {
  /** Has no id in it, so that spans of one kind have one name. */
  readonly name: string;
  readonly kind: 'server' | 'client' | 'consumer' | 'internal';
  /** The traceparent of the parent. Null: the span begins a trace. */
  readonly parent: string | null;
  /** A traceparent that the span points to without being its child. */
  readonly link?: string | undefined;
  readonly attributes: Attributes;
  /** When it began, in milliseconds since 1970, if not now. */
  readonly startMs?: number | undefined;
};

/** A span that has begun. */
export type Span = {
  /** What its children get; null for a span that the sampler leaves out. */
  readonly traceparent: string | null;
  readonly set: (attributes: Attributes) => void;
  /** Marks it as failed, for a reason without anything that people wrote. */
  readonly fail: (reason: string) => void;
  readonly end: () => void;
};

/** Records spans. Null: tracing is off. */
export type Tracing = {
  readonly begin: (options: SpanOptions) => Span;
  /** Sends what is recorded, for at most some seconds. */
  readonly stop: () => Promise<void>;
};

const noSpan: Span = {
  traceparent: null,
  set: () => undefined,
  fail: () => undefined,
  end: () => undefined,
};

/**
 * Runs a piece of the work of a trace in a span of its own. Work without a trace, such as
 * maintenance, gets no span: a trace begins with a request.
 */
export async function inSpan<T>(
  tracing: Tracing | null | undefined,
  options: SpanOptions,
  run: (span: Span) => Promise<T>,
): Promise<T> {
  if (!tracing || options.parent === null) return run(noSpan);
  const span = tracing.begin(options);
  try {
    return await inTrace(span.traceparent, () => run(span));
  } catch (error) {
    span.fail(error instanceof Error ? error.name : 'unknown');
    throw error;
  } finally {
    span.end();
  }
}

/** The present span if it belongs to the trace of `traceparent`, otherwise `traceparent`. */
export function nearestParent(traceparent: string | null): string | null {
  const current = currentTraceparent();
  if (traceparent === null) return current;
  const isSame = parseTraceparent(current)?.traceId === parseTraceparent(traceparent)?.traceId;
  return isSame ? current : traceparent;
}

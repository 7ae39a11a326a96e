import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The trace that the present work belongs to, as the text of a `traceparent` (W3C Trace Context).
 * Without tracing nothing enters the storage, and a look at it costs nanoseconds.
 */
const storage = new AsyncLocalStorage<string>();

/** The traceparent of the span that the present work belongs to; null outside a recorded one. */
export const currentTraceparent = (): string | null => storage.getStore() ?? null;

/** Runs the work of a span. With null, the work belongs to no span and keeps the present trace. */
export const inTrace = <T>(traceparent: string | null, run: () => T): T =>
  traceparent === null ? run() : storage.run(traceparent, run);

/** Runs work that several traces share, such as a statement with rows of several requests. */
export const outsideTraces = <T>(run: () => T): T =>
  storage.getStore() === undefined ? run() : storage.exit(run);

/** The parts of a traceparent that name its span. */
export type SpanName = {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
};

const pattern = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;
const zeros = /^0+$/;

/** The span that a traceparent names; null if it is not valid. */
export function parseTraceparent(text: string | null | undefined): SpanName | null {
  const [, traceId = '', spanId = '', flags = ''] = pattern.exec(text ?? '') ?? [];
  if (traceId === '' || zeros.test(traceId) || zeros.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The trace of a log line, by the names that every log line uses. */
export function traceIds(): { readonly traceId?: string; readonly spanId?: string } {
  const name = parseTraceparent(currentTraceparent());
  return name === null ? {} : { traceId: name.traceId, spanId: name.spanId };
}

import { inSpan, type Tracing } from '../process/tracing/tracing.ts';
import type { HandleMessage } from './relay-messages.ts';

/** Records a span for each handed-over message that belongs to a trace. */
export const traceMessages =
  (tracing: Tracing | null, handle: HandleMessage): HandleMessage =>
  (message, traceparent) =>
    inSpan(
      tracing,
      {
        name: `outbox ${message.kind}`,
        kind: 'consumer',
        parent: traceparent ?? null,
        attributes: { subjectId: message.subjectId },
      },
      () => handle(message, traceparent),
    );

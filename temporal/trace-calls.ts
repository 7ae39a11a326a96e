import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { currentTraceparent } from '../process/tracing/trace-context.ts';
import { traceHeader } from '../workflows/lib/trace-headers.ts';

/** The headers of a call with the trace that it belongs to, if any. */
function withTrace(headers: Headers): Headers {
  const traceparent = currentTraceparent();
  if (traceparent === null) return headers;
  return { ...headers, [traceHeader]: defaultPayloadConverter.toPayload({ traceparent }) };
}

/** Sends the present trace with each start, signal and update. Adds nothing without a trace. */
export const traceCalls: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next({ ...input, headers: withTrace(input.headers) }),
  signal: (input, next) => next({ ...input, headers: withTrace(input.headers) }),
  signalWithStart: (input, next) => next({ ...input, headers: withTrace(input.headers) }),
  startUpdate: (input, next) => next({ ...input, headers: withTrace(input.headers) }),
  startUpdateWithStart: (input, next) =>
    next({
      ...input,
      workflowStartHeaders: withTrace(input.workflowStartHeaders),
      updateHeaders: withTrace(input.updateHeaders),
    }),
};

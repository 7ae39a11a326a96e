import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import * as v from 'valibot';
import { inSpan, type Tracing } from '../process/tracing/tracing.ts';
import { traceHeader } from '../workflows/lib/trace-headers.ts';

const content = v.object({ traceparent: v.string() });

/** The trace that a workflow sent with the activity; null for none. */
function traceparentIn(headers: Headers): string | null {
  const payload = headers[traceHeader];
  if (payload === undefined) return null;
  const parsed = v.safeParse(content, defaultPayloadConverter.fromPayload(payload));
  return parsed.success ? parsed.output.traceparent : null;
}

/** Records a span for each activity of a run that belongs to a trace. */
export const traceActivities =
  (tracing: Tracing): ActivityInterceptorsFactory =>
  ({ info }) => ({
    inbound: {
      execute: (input, next) =>
        inSpan(
          tracing,
          {
            name: `activity ${info.activityType}`,
            kind: 'internal',
            parent: traceparentIn(input.headers),
            attributes: {
              workflowType: info.workflowType,
              workflowId: info.workflowExecution?.workflowId,
              runId: info.workflowExecution?.runId,
              attempt: info.attempt,
            },
          },
          () => next(input),
        ),
    },
  });

import type { Client } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';

type Stamp = { readonly seconds?: unknown; readonly nanos?: number | null } | null | undefined;
const inMs = (stamp: Stamp): number =>
  Number(stamp?.seconds ?? 0) * 1000 + (stamp?.nanos ?? 0) / 1e6;

const completionOf = (note: Payload): Stamp =>
  defaultPayloadConverter.fromPayload<{ readonly complete_time?: Stamp }>(note).complete_time;

/** The timers of a workflow's latest run, in the order in which they were set. */
export async function readTimers(client: Client, workflowId: string) {
  const run = client.workflow.getHandle(workflowId);
  const { events } = await run.fetchHistory();
  const all = events ?? [];
  const fired = new Set(all.flatMap(({ timerFiredEventAttributes: rung }) => rung?.timerId ?? []));
  const canceled = new Set(
    all.flatMap(({ timerCanceledEventAttributes: gone }) => gone?.timerId ?? []),
  );
  let nowMs = 0;
  return all.flatMap((event) => {
    if (event.workflowTaskStartedEventAttributes) nowMs = Math.floor(inMs(event.eventTime));
    // The SDK's own note of a local activity says what time it was for the workflow after it.
    const [note] = event.markerRecordedEventAttributes?.details?.['data']?.payloads ?? [];
    if (note !== undefined) nowMs = Math.floor(inMs(completionOf(note)));
    const { eventTime, timerStartedEventAttributes: set, userMetadata } = event;
    if (set === null || set === undefined) return [];
    const summary = userMetadata?.summary;
    const durationMs = inMs(set.startToFireTimeout);
    return {
      summary:
        summary === null || summary === undefined
          ? ''
          : defaultPayloadConverter.fromPayload<string>(summary),
      /** What the workflow took for now when it set it. */
      nowMs,
      durationMs,
      /** By the server's clock. */
      dueMs: inMs(eventTime) + durationMs,
      hasFired: fired.has(set.timerId ?? ''),
      isCanceled: canceled.has(set.timerId ?? ''),
    };
  });
}
export type SetTimer = Awaited<ReturnType<typeof readTimers>>[number];

import type { Client } from '@temporalio/client';
import { historyToJSON, type History } from '@temporalio/common/lib/proto-utils.js';
import { listHistories } from './histories.ts';

/** A run of a case, with its history as the Temporal tools write it. */
export type CaseRun = {
  readonly workflowId: string;
  readonly runId: string;
  readonly type: string;
  readonly status: string;
  readonly startedAt: string;
  readonly closedAt: string | null;
  /** Identifies the workflow code of the last worker: the SDK's version and the bundle's hash. */
  readonly buildId: string | null;
  readonly history: { readonly events: readonly CaseEvent[] };
};
export type CaseEvent = {
  readonly eventId: string;
  readonly eventTime: string;
  readonly eventType: string;
};

/** All runs of the workflows that Temporal still has, the oldest first. */
export async function readCaseRuns(
  client: Client,
  workflowIds: readonly string[],
): Promise<readonly CaseRun[]> {
  const runs: CaseRun[] = [];
  for (const workflowId of new Set(workflowIds)) {
    const query = `WorkflowId = "${workflowId}"`;
    for await (const { run, history } of listHistories(client, query)) {
      const { runId } = run;
      // The list of visibility lags behind; a description of a run does not.
      const handle = client.workflow.getHandle(workflowId, runId);
      const { type, status, startTime, closeTime } = await handle.describe().catch(() => run);
      runs.push({
        workflowId,
        runId,
        type,
        status: status.name,
        startedAt: startTime.toISOString(),
        closedAt: closeTime?.toISOString() ?? null,
        buildId: buildIdOf(history),
        history: JSON.parse(historyToJSON(history)) as CaseRun['history'],
      });
    }
  }
  return runs.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
}

const buildIdOf = ({ events }: History): string | null =>
  events
    ?.flatMap(({ workflowTaskCompletedEventAttributes: completed }) => {
      const { workerVersion, deploymentVersion } = completed ?? {};
      return deploymentVersion?.buildId ?? workerVersion?.buildId ?? [];
    })
    .at(-1) ?? null;

/** What a vendor may see of a run: its steps by type and time. Payloads may name staff. */
export const runOutline = ({ history, ...run }: CaseRun) => ({
  ...run,
  steps: history.events.map(({ eventId, eventTime, eventType }) => ({
    eventId,
    eventTime,
    eventType,
  })),
});

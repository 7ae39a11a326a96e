import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { ofQueues } from './task-queues.ts';

/** The history of a run: each event as text, with its payloads decoded. */
export type History = {
  readonly workflowId: string;
  readonly runId: string;
  readonly events: readonly string[];
};

/**
 * Reads the histories of a gateway's runs, newest start first: of open ones, and of those that
 * Temporal still retains.
 */
export async function* readHistories(
  client: Client,
  { taskQueue, runsMax }: { readonly taskQueue: string; readonly runsMax: number },
): AsyncGenerator<History> {
  let read = 0;
  for await (const run of client.workflow.list({ query: ofQueues(taskQueue) })) {
    if (read === runsMax) return;
    read += 1;
    const { workflowId, runId } = run;
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const { events = [] } = JSON.parse(historyToJSON(history), decodePayload) as {
      readonly events?: readonly object[];
    };
    yield { workflowId, runId, events: events.map((event) => JSON.stringify(event)) };
  }
}

const decodePayload = (key: string, value: unknown): unknown =>
  key === 'data' && typeof value === 'string'
    ? Buffer.from(value, 'base64').toString('utf8')
    : value;

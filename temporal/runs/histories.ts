import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { historyToJSON, type History as RunHistory } from '@temporalio/common/lib/proto-utils.js';
import { decodeHistory } from '../../codec/decode-history.ts';
import { ofQueues } from '../task-queues.ts';

/** The runs of a list query with their histories, decrypted, newest start first. */
export async function* listHistories(
  client: Client,
  query: string,
): AsyncGenerator<{ readonly run: WorkflowExecutionInfo; readonly history: RunHistory }> {
  for await (const run of client.workflow.list({ query })) {
    const { workflowId, runId } = run;
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    yield { run, history: await decodeHistory(client, history) };
  }
}

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
  if (runsMax === 0) return;
  for await (const { run, history } of listHistories(client, ofQueues(taskQueue))) {
    read += 1;
    const { workflowId, runId } = run;
    const { events = [] } = JSON.parse(historyToJSON(history), decodePayload) as {
      readonly events?: readonly object[];
    };
    yield { workflowId, runId, events: events.map((event) => JSON.stringify(event)) };
    if (read === runsMax) return;
  }
}

const decodePayload = (key: string, value: unknown): unknown =>
  key === 'data' && typeof value === 'string'
    ? Buffer.from(value, 'base64').toString('utf8')
    : value;

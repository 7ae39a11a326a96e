import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { historyToJSON, type History as RunHistory } from '@temporalio/common/lib/proto-utils.js';
import { ofQueues } from '../task-queues.ts';

/** Histories that are fetched at the same time: most of a fetch is a wait for Temporal. */
const atOnce = 10;

type RunWithHistory = { readonly run: WorkflowExecutionInfo; readonly history: RunHistory };

/** Temporal's most runs of one page. */
const pageSizeMax = 1000;

/** The runs of a list query with their histories, newest start first. */
export async function* listHistories(
  client: Client,
  query: string,
  pageSize = pageSizeMax,
): AsyncGenerator<RunWithHistory> {
  const fetching: Promise<RunWithHistory>[] = [];
  for await (const run of client.workflow.list({ query, pageSize })) {
    const fetched = withHistory(client, run);
    // A failure reaches the caller with its turn. It must not end the process before, or after the
    // caller has stopped reading.
    fetched.catch(() => undefined);
    fetching.push(fetched);
    const next = fetching.length < atOnce ? undefined : fetching.shift();
    if (next !== undefined) yield await next;
  }
  for (const next of fetching) yield await next;
}

async function withHistory(client: Client, run: WorkflowExecutionInfo): Promise<RunWithHistory> {
  const history = await client.workflow.getHandle(run.workflowId, run.runId).fetchHistory();
  return { run, history };
}

/** The history of a run: each event as text, with its payloads decoded. */
export type History = {
  readonly workflowId: string;
  readonly runId: string;
  readonly events: readonly string[];
};

/**
 * Reads the histories of a gateway's runs, newest start first: of open runs, and of runs that
 * Temporal still retains.
 */
export async function* readHistories(
  client: Client,
  { taskQueue, runsMax }: { readonly taskQueue: string; readonly runsMax: number },
): AsyncGenerator<History> {
  let read = 0;
  if (runsMax === 0) return;
  const pageSize = Math.min(runsMax, pageSizeMax);
  for await (const { run, history } of listHistories(client, ofQueues(taskQueue), pageSize)) {
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

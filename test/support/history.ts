import { readFileSync, writeFileSync } from 'node:fs';
import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';
import { inject } from 'vitest';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

const directory = new URL('../histories/', import.meta.url);

/** Whether these tests make the recorded histories anew (`npm run histories:record`). */
const isRecording = process.env['RECORD_HISTORIES'] === '1';

const fillerMin = 100_000;

/**
 * Which process took a task, where its code lies, and the text that makes a history long, say
 * nothing about the workflow.
 */
const withoutPositions = (key: string, value: unknown): unknown => {
  if (key === 'identity') return 'recorded';
  if (key === 'stackTrace') return '';
  const isFiller = key === 'data' && typeof value === 'string' && value.length > fillerMin;
  return isFiller ? Buffer.from('""').toString('base64') : value;
};

/** Pages of a few events, because a message of gRPC has at most 4 MB. */
async function fetchInPages(
  { workflowService, options }: Client,
  workflowId: string,
  runId: string,
) {
  const events: temporal.api.history.v1.IHistoryEvent[] = [];
  let nextPageToken = new Uint8Array();
  do {
    const page = await workflowService.getWorkflowExecutionHistory({
      namespace: options.namespace,
      execution: { workflowId, runId },
      maximumPageSize: 5,
      nextPageToken,
    });
    events.push(...(page.history?.events ?? []));
    nextPageToken = new Uint8Array(page.nextPageToken);
  } while (nextPageToken.length > 0);
  return temporal.api.history.v1.History.create({ events });
}

/** Keeps the history of a finished run for `test/replay.test.ts`, when these tests record. */
export async function recordHistory(
  client: Client,
  workflowId: string,
  name: string,
  runId = '',
): Promise<void> {
  if (!isRecording) return;
  const history = await fetchInPages(client, workflowId, runId);
  const text = JSON.stringify(JSON.parse(historyToJSON(history)), withoutPositions, 1);
  writeFileSync(new URL(`${name}.json`, directory), `${text}\n`);
}

/** Everything that a history says, in clear text: its own fields, and its payloads decoded. */
export async function readableHistory(
  client: Client,
  workflowId: string,
  runId?: string,
): Promise<string> {
  const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  return JSON.stringify(JSON.parse(historyToJSON(history)), (key, value: unknown) =>
    key === 'data' && typeof value === 'string'
      ? Buffer.from(value, 'base64').toString('utf8')
      : value,
  );
}

function createReplayer() {
  let next: unknown;
  async function* source() {
    for (;;) yield { workflowId: 'replayed', history: next };
  }
  const workflowBundle = { codePath: inject('workflowBundlePath') };
  const results = Worker.runReplayHistories({ workflowBundle }, source());
  let last: Promise<unknown> = Promise.resolve();
  const replayAfter = async (earlier: Promise<unknown>, history: unknown): Promise<void> => {
    await earlier;
    next = history;
    const { value, done } = await results.next();
    if (done === true) throw new Error('the replay worker has ended');
    if (value.error !== undefined) throw value.error;
  };
  return {
    replay: (history: unknown): Promise<void> => {
      const replayed = replayAfter(last, history);
      last = replayed.catch(() => undefined);
      return replayed;
    },
    close: async () => {
      await last;
      await results.return?.(undefined);
    },
  };
}

let replayer: ReturnType<typeof createReplayer> | null = null;

/**
 * Replays a history; rejects when today's workflow code does not fit. All share one replay worker
 * until `closeReplayer`: a worker for each history takes 0.2 s of CPU time.
 */
export async function replayHistory(history: unknown): Promise<void> {
  replayer ??= createReplayer();
  await replayer.replay(history);
}

export async function closeReplayer(): Promise<void> {
  const open = replayer;
  replayer = null;
  await open?.close();
  // Workflows have run in this thread. The hook that they leave for every promise took 7 % of the
  // CPU time of all later files.
  globalHandlers.uninstall();
}

/** Replays a run as it stands; rejects when today's workflow code does not fit. */
export const replayRun = async (client: Client, workflowId: string): Promise<void> =>
  replayHistory(await client.workflow.getHandle(workflowId).fetchHistory());

export const readHistory = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(file, directory), 'utf8'));
export { directory as historiesDirectory };

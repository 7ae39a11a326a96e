import { readFileSync, writeFileSync } from 'node:fs';
import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { inject } from 'vitest';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

const directory = new URL('../histories/', import.meta.url);

/** Whether this run makes the recorded histories anew (`npm run histories:record`). */
const isRecording = process.env['RECORD_HISTORIES'] === '1';

/** Which process took a task, and where its code lies, says nothing about the workflow. */
const withoutPlaces = (key: string, value: unknown): unknown =>
  key === 'identity' ? 'recorded' : key === 'stackTrace' ? '' : value;

/** Keeps the history of a finished run for `test/replay.test.ts`, when this run records. */
export async function recordHistory(
  client: Client,
  workflowId: string,
  name: string,
): Promise<void> {
  if (!isRecording) return;
  const history = await client.workflow.getHandle(workflowId).fetchHistory();
  const text = JSON.stringify(JSON.parse(historyToJSON(history)), withoutPlaces, 1);
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

/** Replays a run; rejects when the current workflow code is not compatible. */
export async function replayRun(client: Client, workflowId: string): Promise<void> {
  const history = await client.workflow.getHandle(workflowId).fetchHistory();
  await Worker.runReplayHistory(
    { workflowBundle: { codePath: inject('workflowBundlePath') } },
    history,
  );
}

export const readHistory = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(file, directory), 'utf8'));
export { directory as historiesDirectory };

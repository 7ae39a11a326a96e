import { Writable } from 'node:stream';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { pino, type Logger } from 'pino';
import { loggedError } from '../../../process/logging.ts';
import { decisionQueueOf } from '../../../temporal/task-queues.ts';
import type { TestGateway } from './gateway.ts';
import { readableHistory } from '../history.ts';

/** What must be found nowhere, by the name that a report has for it. */
export type Needles = Readonly<Record<string, string | Buffer>>;

/** A webhook secret in each form in which it would be of use to a thief. */
export function needlesOfSecret(name: string, secret: string): Needles {
  const base64 = secret.slice('whsec_'.length);
  const raw = Buffer.from(base64, 'base64');
  return {
    [name]: secret,
    [`${name} without its prefix`]: base64.replace(/=+$/, ''),
    [`${name} as bytes`]: raw,
    [`${name} in hex`]: raw.toString('hex'),
    [`${name} for URLs`]: raw.toString('base64url'),
  };
}

/** Which of them a text or a payload has in it. */
export const findNeedles = (needles: Needles, hay: string | Buffer): readonly string[] =>
  Object.entries(needles).flatMap(([name, needle]) =>
    Buffer.from(hay).includes(needle) ? [name] : [],
  );

/** A log as the processes write it, with every level, kept in memory. */
export function memoryLog(): { readonly log: Logger; readonly lines: readonly string[] } {
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString('utf8'));
      done();
    },
  });
  const log = pino({ level: 'trace', serializers: { err: loggedError, error: loggedError } }, sink);
  return { log, lines };
}

/**
 * The histories of all runs of a gateway's task queue, its schedules' and samples' among them: each
 * as text with its payloads decoded, and each payload's bytes.
 */
export async function readAllHistories({ client, config }: TestGateway) {
  const read: { workflowId: string; type: string; parts: readonly (string | Buffer)[] }[] = [];
  const { TEMPORAL_TASK_QUEUE: taskQueue } = config;
  const query = `TaskQueue in ('${taskQueue}', '${decisionQueueOf(taskQueue)}')`;
  for await (const { workflowId, runId, type } of client.workflow.list({ query })) {
    const text = await readableHistory(client, workflowId, runId);
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const payloads: Buffer[] = [];
    JSON.parse(historyToJSON(history), (key, value: unknown) => {
      if (key === 'data' && typeof value === 'string') payloads.push(Buffer.from(value, 'base64'));
      return value;
    });
    read.push({ workflowId, type, parts: [text, ...payloads] });
  }
  return read;
}

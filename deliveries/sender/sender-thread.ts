import { parentPort, workerData } from 'node:worker_threads';
import { createSender, type SenderOptions } from '../../guardrail/send/send.ts';
import type { ThreadReply, ThreadRequest } from './thread-sender.ts';

/** The thread of `createThreadSender`: does each send, and posts its result or its fault. */

const sender = createSender(workerData as SenderOptions);

async function replyTo({ id, request }: ThreadRequest): Promise<ThreadReply> {
  if (request === null) return { id, hasBegun: true };
  try {
    return { id, result: await sender.send(request) };
  } catch (error) {
    // A copy of an error has neither its class nor its code; nothing reads them.
    return { id, fault: error instanceof Error ? error.message : 'unknown' };
  }
}

parentPort?.on('message', (request: ThreadRequest) => {
  void replyTo(request).then((reply) => parentPort?.postMessage(reply, []));
});

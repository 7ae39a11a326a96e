import { tmpdir } from 'node:os';
import { Worker } from 'node:worker_threads';
import { closableSends } from '../../guardrail/send/closable-sends.ts';
import {
  SenderLost,
  type Sender,
  type SenderOptions,
  type SendRequest,
  type SendResult,
} from '../../guardrail/send/send.ts';

/** Without a request, it asks whether the requests before it have begun. */
export type ThreadRequest = { readonly id: number; readonly request: SendRequest | null };
export type ThreadReply =
  | { readonly id: number; readonly hasBegun: true }
  | { readonly id: number; readonly result: SendResult }
  | { readonly id: number; readonly fault: string };

export type ThreadSenderOptions = Pick<SenderOptions, 'policy' | 'timeoutMs' | 'ca'> & {
  /** Called when the thread failed; the next send starts another one. */
  readonly onLost?: (error: Error) => void;
  /** The time after the limit of a send in which the thread must answer it. Default: 5,000. */
  readonly overdueMs?: number;
};

type Waiting = {
  readonly resolve: (result: SendResult) => void;
  readonly reject: (error: Error) => void;
};

/** A thread that was started, and the sends and questions that it has not answered. */
type Thread = {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
  readonly questions: Map<number, () => void>;
};

const file = new URL('sender-thread.ts', import.meta.url);

/** Before version 22.18, Node needs a loader for TypeScript, unless the program is compiled. */
const execArgv =
  file.pathname.endsWith('.mjs') ||
  ('typescript' in process.features && process.features.typescript !== false)
    ? []
    : ['--import', new URL('register-tsx.mjs', import.meta.url).href];

/**
 * Creates a {@link Sender} whose sends, with their TLS and HTTP, run in a thread of their own, so
 * that no receiver can stop the caller's event loop. If the thread ends, its sends reject with
 * {@link SenderLost}, and the next send starts another thread. A thread that leaves a send
 * unanswered long after its limit hangs, and is ended.
 */
export function createThreadSender({
  onLost,
  overdueMs = 5000,
  ...options
}: ThreadSenderOptions): Sender {
  let thread: Thread | null = null;
  let sends = 0;

  const start = (): Thread => {
    // The thread, and the compiler that it starts, need no other variable than the path of tsx's
    // cache.
    const env = { TMPDIR: tmpdir() };
    const worker = new Worker(file, { workerData: options, execArgv, env });
    const started: Thread = { worker, waiting: new Map(), questions: new Map() };
    worker.unref();
    worker.on('message', (reply: ThreadReply) => {
      if ('hasBegun' in reply) {
        started.questions.get(reply.id)?.();
        started.questions.delete(reply.id);
        return;
      }
      const waiting = started.waiting.get(reply.id);
      started.waiting.delete(reply.id);
      if ('result' in reply) waiting?.resolve(reply.result);
      else waiting?.reject(new Error(reply.fault));
    });
    worker.on('error', (error: Error) => onLost?.(error));
    worker.on('exit', () => {
      if (thread === started) thread = null;
      for (const { reject } of started.waiting.values()) reject(new SenderLost());
      for (const resolve of started.questions.values()) resolve();
    });
    return started;
  };

  /**
   * Waits before it ends the thread, so that a process that was paused first handles the results
   * that have arrived.
   */
  const endIfOverdue = (judged: Thread | null, id: number): void => {
    setTimeout(() => {
      if (judged?.waiting.has(id) !== true) return;
      onLost?.(new Error('the sender thread does not answer'));
      void judged.worker.terminate();
    }, 1000).unref();
  };

  const post = (request: SendRequest): Promise<SendResult> =>
    new Promise((resolve, reject) => {
      thread ??= start();
      const { worker, waiting } = thread;
      sends += 1;
      const id = sends;
      worker.postMessage({ id, request } satisfies ThreadRequest, []);
      const watchdog = setTimeout(
        () => endIfOverdue(thread, id),
        (request.timeoutMs ?? options.timeoutMs) + overdueMs,
      ).unref();
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T): void => {
          clearTimeout(watchdog);
          settle(value);
        };
      waiting.set(id, { resolve: settled(resolve), reject: settled(reject) });
    });

  const untilBegun = (): Promise<void> =>
    new Promise((resolve) => {
      if (thread === null) return resolve();
      sends += 1;
      thread.questions.set(sends, resolve);
      // The thread takes its messages in their order.
      thread.worker.postMessage({ id: sends, request: null } satisfies ThreadRequest, []);
    });

  return { ...closableSends(post, async () => thread?.worker.terminate()), untilBegun };
}

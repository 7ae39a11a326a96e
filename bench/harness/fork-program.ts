import { fork } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A program of a benchmark in a process of its own, so that it delays no other. */
export type Program<TQuestion, TReply> = {
  readonly pid: number;
  /**
   * Sends a question and resolves to its reply; the next question may follow then. Rejects if
   * the program fails to answer it, or ends before. A question may come before the program listens.
   */
  readonly ask: (question: TQuestion) => Promise<TReply>;
  readonly stop: () => void;
};

type Reply<TReply> = { readonly value: TReply } | { readonly error: string };

/** Starts a program that calls {@link answerParent} with a function of the same types. */
export function forkProgram<TQuestion extends object, TReply>(
  url: URL,
): Program<TQuestion, TReply> {
  const file = fileURLToPath(url);
  const child = fork(file, { execArgv: ['--import', 'tsx'] });
  return {
    pid: child.pid ?? 0,
    ask: async (question) => {
      const settled = new AbortController();
      const { signal } = settled;
      const ended = once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`${basename(file)} ended with ${String(code)}`);
      });
      try {
        const replied = once(child, 'message', { signal });
        child.send(question);
        const [reply] = (await Promise.race([replied, ended])) as [Reply<TReply>];
        if ('error' in reply) throw new Error(reply.error);
        return reply.value;
      } finally {
        settled.abort();
      }
    },
    stop: () => void child.kill(),
  };
}

/** Returns the reply to a question, or a promise of it. */
type ReplyTo<TQuestion> = (question: TQuestion) => unknown;

/** Answers the questions of the process that forked this one, and ends with it. */
export function answerParent<TQuestion>(replyTo: ReplyTo<TQuestion>): void {
  const reply = async (question: TQuestion): Promise<Reply<unknown>> => {
    try {
      return { value: await replyTo(question) };
    } catch (error) {
      return { error: String(error) };
    }
  };
  process.on('message', (question: TQuestion) => {
    void reply(question).then((message) => process.send?.(message));
  });
  process.once('disconnect', () => process.exit(0));
}

/** Tells the parent that a server is ready, and ends it with SIGTERM or with the parent. */
export function serveParent(url: string, close: () => Promise<unknown>): void {
  process.send?.({ type: 'ready', url });
  const end = (): void => void close().then(() => process.exit(0));
  process.once('SIGTERM', end).once('disconnect', end);
}

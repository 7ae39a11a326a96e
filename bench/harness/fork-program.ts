import { fork } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A program of a benchmark in a process of its own, so that it delays no other. */
export type Program = {
  readonly pid: number;
  /** The next message of the program. Rejects if the program ends before. */
  readonly heard: () => Promise<unknown>;
  /** Sends a message, and resolves to the next one of the program. */
  readonly ask: (message: object) => Promise<unknown>;
  readonly stop: () => void;
};

export function forkProgram(url: URL, args: readonly string[] = []): Program {
  const file = fileURLToPath(url);
  const child = fork(file, args, { execArgv: ['--import', 'tsx'] });
  const heard = async (): Promise<unknown> => {
    const settled = new AbortController();
    const { signal } = settled;
    const ended = once(child, 'exit', { signal }).then(([code]) => {
      throw new Error(`${basename(file)} ended with ${String(code)}`);
    });
    try {
      const [message]: unknown[] = await Promise.race([once(child, 'message', { signal }), ended]);
      return message;
    } finally {
      settled.abort();
    }
  };
  return {
    pid: child.pid ?? 0,
    heard,
    ask: (message) => {
      const answer = heard();
      child.send(message);
      return answer;
    },
    stop: () => void child.kill(),
  };
}

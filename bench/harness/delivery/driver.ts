import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import type { DriverTask, Sent, Target } from './target.ts';

/** A client in a process of its own. */
export type Driver = {
  readonly pid: number;
  /** Resolves when the last request is accepted. Rejects when one is refused. */
  readonly run: (target: Target, task: DriverTask) => Promise<readonly Sent[]>;
  readonly stop: () => void;
};

const answer = v.object({
  sent: v.optional(
    v.array(v.object({ key: v.string(), startedAt: v.number(), acceptedAt: v.number() })),
  ),
  error: v.optional(v.string()),
});

export async function startDriver(): Promise<Driver> {
  const child = fork(fileURLToPath(new URL('driver-process.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  });
  const nextAnswer = async () => {
    const [message]: unknown[] = await once(child, 'message');
    return v.parse(answer, message);
  };
  await nextAnswer();
  return {
    pid: child.pid ?? 0,
    run: async (target, task) => {
      const answered = nextAnswer();
      child.send({ target, task });
      const { sent, error } = await answered;
      if (sent === undefined) throw new Error(error ?? 'the driver sent nothing');
      return sent;
    },
    stop: () => child.kill(),
  };
}

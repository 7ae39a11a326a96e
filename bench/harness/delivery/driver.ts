import * as v from 'valibot';
import { forkProgram } from '../fork-program.ts';
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
  const { pid, heard, ask, stop } = forkProgram(new URL('driver-process.ts', import.meta.url));
  await heard();
  return {
    pid,
    run: async (target, task) => {
      const { sent, error } = v.parse(answer, await ask({ target, task }));
      if (sent === undefined) throw new Error(error ?? 'the driver sent nothing');
      return sent;
    },
    stop,
  };
}

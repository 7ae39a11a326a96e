import * as v from 'valibot';
import { forkProgram } from '../fork-program.ts';

/** One request at the receiver: when (ms of the monotonic clock), and what it was answered. */
export type Arrival = {
  readonly eventId: string;
  /** Set when the body has arrived; see `orderKeyOf`. */
  readonly orderKey: string;
  readonly at: number;
  readonly status: number;
};

/** `begin` forgets what came before, and from then on fails that fraction of the requests. */
export type ReceiverQuestion =
  | { readonly ask: 'begin'; readonly failing: number }
  | { readonly ask: 'count' }
  | { readonly ask: 'arrivals' };

/** A fast receiver on loopback, in a process of its own. */
export type Receiver = {
  readonly origin: string;
  readonly pid: number;
  readonly begin: (failing?: number) => Promise<void>;
  readonly count: () => Promise<number>;
  readonly arrivals: () => Promise<readonly Arrival[]>;
  readonly stop: () => void;
};

const answers = v.object({
  port: v.optional(v.number()),
  count: v.optional(v.number()),
  arrivals: v.optional(
    v.array(
      v.object({
        eventId: v.string(),
        orderKey: v.string(),
        at: v.number(),
        status: v.number(),
      }),
    ),
  ),
});

export async function startReceiver(): Promise<Receiver> {
  const program = forkProgram(new URL('receiver-process.ts', import.meta.url));
  const ask = async (question: ReceiverQuestion) => v.parse(answers, await program.ask(question));
  const { port } = v.parse(answers, await program.heard());
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: program.pid,
    begin: async (failing = 0) => {
      await ask({ ask: 'begin', failing });
    },
    count: async () => (await ask({ ask: 'count' })).count ?? 0,
    arrivals: async () => (await ask({ ask: 'arrivals' })).arrivals ?? [],
    stop: program.stop,
  };
}

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
  | { readonly ask: 'origin' }
  | { readonly ask: 'begin'; readonly failing: number }
  | { readonly ask: 'count' }
  | { readonly ask: 'arrivals' };

export type ReceiverReply = {
  readonly origin?: string;
  readonly count?: number;
  readonly arrivals?: readonly Arrival[];
};

/** A fast receiver on loopback, in a process of its own. */
export async function startReceiver() {
  const file = new URL('receiver-process.ts', import.meta.url);
  const { ask, pid, stop } = forkProgram<ReceiverQuestion, ReceiverReply>(file);
  const { origin = '' } = await ask({ ask: 'origin' });
  return {
    origin,
    pid,
    begin: async (failing = 0): Promise<void> => {
      await ask({ ask: 'begin', failing });
    },
    count: async () => (await ask({ ask: 'count' })).count ?? 0,
    arrivals: async () => (await ask({ ask: 'arrivals' })).arrivals ?? [],
    stop,
  };
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

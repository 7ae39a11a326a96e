import { setTimeout as delay } from 'node:timers/promises';
import { processTree, statOf } from '../../../../bench/harness/measures/process-tree.ts';
import type { Child } from '../../../../embedded/processes/child-process.ts';

/** A process of the gateway under supervision: one that ends by itself is started again. */
export type Part = Awaited<ReturnType<typeof startSupervised>>;

const restartMs = 500;
/** Long past what a start takes: nothing will start it. */
const startMax = 120;

/** Starts a process and keeps it running until it is taken away. */
export async function startSupervised(start: () => Promise<Child>) {
  const state = { child: null as Child | null, isWanted: false };

  const run = async (): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const child = await start();
        state.child = child;
        void watch(child);
        return;
      } catch (error) {
        if (!state.isWanted) return;
        if (attempt === startMax) throw error;
        await delay(restartMs);
      }
    }
  };
  const watch = async (child: Child): Promise<void> => {
    await child.exited;
    if (!state.isWanted || state.child !== child) return;
    await delay(restartMs);
    // A fault may have taken it away meanwhile.
    if (state.isWanted && state.child === child) await run();
  };
  const bringBack = async (): Promise<void> => {
    state.isWanted = true;
    await run();
  };
  await bringBack();
  const signalAll = (signal: NodeJS.Signals): void => {
    const { child } = state;
    if (child === null || child.hasExited()) return;
    for (const pid of processTree(child.pid).keys()) {
      try {
        process.kill(pid, signal);
      } catch (error) {
        // It may have ended meanwhile.
        if (statOf(pid).length > 0) throw error;
      }
    }
  };
  return {
    /** Sends SIGKILL to the process and all below it, and leaves it dead. */
    takeAway: async () => {
      state.isWanted = false;
      signalAll('SIGKILL');
      await state.child?.exited;
    },
    /** Starts it. A start that fails, for example because Postgres is away, is repeated. */
    bringBack,
    /** Ends it as an operator does, by its own signal, and leaves it stopped. */
    shutDown: async () => {
      state.isWanted = false;
      await state.child?.stop();
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
  };
}

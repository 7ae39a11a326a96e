import type { Config } from '../config.ts';
import type { Child } from './child.ts';
import type { Guard } from './guard.ts';
import type { Home } from './home.ts';
import type { ChoosePort } from './ports.ts';
import type { Progress } from './progress.ts';
import type { Shutdown } from './shutdown.ts';
import { supervise } from './supervisor.ts';

/** What every part of a start works with. */
export type StartContext = {
  readonly config: Config;
  readonly home: Home;
  readonly guard: Guard;
  readonly shutdown: Shutdown;
  readonly progress: Progress;
  readonly choosePort: ChoosePort;
};

/** Starts a process that is restarted when it dies, and stopped with the rest; one given up stops everything. */
export async function keepRunning<T extends Child>(
  { shutdown, progress }: StartContext,
  stage: 'app' | 'server',
  start: () => Promise<T>,
): Promise<T> {
  const supervised = await supervise(start, {
    say: progress.say,
    onGiveUp: (reason) => {
      progress.say(`✗ ${reason}\nStopping.`);
      void shutdown.stop(1);
    },
  });
  if (shutdown.isStopping()) {
    await supervised.stop();
    throw new Error(`${supervised.first.name} was stopped while it started.`);
  }
  shutdown.add(stage, () => supervised.stop());
  return supervised.first;
}

/** The order of an orderly stop: what uses a server goes before the server. */
type Stage = 'app' | 'server';

/** Ends everything that was started, in order, exactly once. */
export type Shutdown = {
  readonly isStopping: () => boolean;
  /** Names something that must be stopped; to be asked before the stop only. */
  add(stage: Stage, stop: () => Promise<void>): void;
  /** Stops everything and exits the process. */
  stop(exitCode: number): Promise<never>;
};

/** Makes the stop of a start; `finish` runs last, whatever happened before. */
export function createShutdown(finish: () => Promise<void>, say: (line: string) => void): Shutdown {
  const stops: { readonly stage: Stage; readonly stop: () => Promise<void> }[] = [];
  let stopped: Promise<never> | undefined;

  const stopStage = async (stage: Stage) => {
    const results = await Promise.allSettled(
      stops.filter((entry) => entry.stage === stage).map(({ stop }) => stop()),
    );
    for (const result of results) {
      if (result.status === 'rejected') say(`! While stopping: ${String(result.reason)}`);
    }
  };
  const stopAll = async (exitCode: number): Promise<never> => {
    await stopStage('app');
    await stopStage('server');
    await finish();
    process.exit(exitCode);
  };

  return {
    isStopping: () => stopped !== undefined,
    add: (stage, stop) => stops.push({ stage, stop }),
    stop: (exitCode) => (stopped ??= stopAll(exitCode)),
  };
}

/** One Ctrl-C arrives up to three times: from the terminal, from npm and from tsx. */
const SAME_KEYSTROKE_MS = 1_000;

/** Stops in good order on Ctrl-C and its kin; the second time at once, leaving the rest to the guard. */
export function stopOnSignals(shutdown: Shutdown, say: (line: string) => void): void {
  let firstAt: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (firstAt === undefined) {
        firstAt = Date.now();
        say('\nStopping ...');
        void shutdown.stop(0);
      } else if (Date.now() - firstAt > SAME_KEYSTROKE_MS) {
        say('Stopped by force.');
        process.exit(1);
      }
    });
  }
}

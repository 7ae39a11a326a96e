/** One Ctrl-C arrives up to three times: from the terminal, from npm and from tsx. */
const SAME_KEYSTROKE_MS = 1_000;
const PARENT_CHECK_MS = 1_000;

/** Creates the shutdown of a start; `end` ends what was started, exactly once. */
export function createShutdown(end: () => Promise<void>) {
  const stopping = new AbortController();
  let stopped: Promise<never> | undefined;
  const endAndExit = async (exitCode: number): Promise<never> => {
    stopping.abort();
    try {
      await end();
    } finally {
      process.exit(exitCode);
    }
  };
  return {
    /** Aborted at the begin of the stop. */
    signal: stopping.signal,
    /** Ends everything and exits the process. */
    stop: (exitCode: number) => (stopped ??= endAndExit(exitCode)),
  };
}
type Shutdown = ReturnType<typeof createShutdown>;

/**
 * Stops on Ctrl-C, SIGTERM and SIGHUP; a second signal exits at once and leaves the rest to the
 * guard.
 */
export function stopOnSignals(shutdown: Shutdown, log: (line: string) => void): void {
  let firstAt: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (firstAt === undefined) {
        firstAt = Date.now();
        log('\nStopping ...');
        void shutdown.stop(0);
      } else if (Date.now() - firstAt > SAME_KEYSTROKE_MS) {
        log('Stopped by force.');
        process.exit(1);
      }
    });
  }
}

/** Stops after npm, the parent, was killed: the output and Ctrl-C no longer reach a terminal. */
export function stopWithParent(shutdown: Shutdown): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(
    () => process.ppid !== parent && void shutdown.stop(1),
    PARENT_CHECK_MS,
  );
  timer.unref();
}

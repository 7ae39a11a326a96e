/** Prints the course of a start. */
export function createProgress(print: (line: string) => void) {
  return {
    say: print,
    /** Runs one step and prints what it answers with the time it took. */
    async step<T>(work: () => Promise<T>, describe: (result: T) => string): Promise<T> {
      const startedAt = performance.now();
      const result = await work();
      print(`✓ ${describe(result)} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
      return result;
    },
  };
}

/** See {@link createProgress}. */
export type Progress = ReturnType<typeof createProgress>;

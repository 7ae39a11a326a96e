/** Counts the batches of this process, and tells what runs beside them that there are some. */
export function createRunningBatches() {
  let count = 0;
  return {
    areAny: () => count > 0,
    run: async <T>(batch: () => Promise<T>): Promise<T> => {
      count += 1;
      try {
        return await batch();
      } finally {
        count -= 1;
      }
    },
  };
}
export type RunningBatches = ReturnType<typeof createRunningBatches>;

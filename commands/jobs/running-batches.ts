/** Tells what runs beside batches of bulk jobs that there are some. */
export type RunningBatches = {
  readonly areAny: () => boolean;
  readonly run: <T>(batch: () => Promise<T>) => Promise<T>;
};

/** Counts the batches of this process. */
export function createRunningBatches(): RunningBatches {
  let count = 0;
  return {
    areAny: () => count > 0,
    run: async (batch) => {
      count += 1;
      try {
        return await batch();
      } finally {
        count -= 1;
      }
    },
  };
}

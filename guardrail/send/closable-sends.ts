/**
 * Wraps sends: `close` refuses new ones, waits for those in progress, and then calls `end`.
 */
export function closableSends<TRequest, TResult>(
  start: (request: TRequest) => Promise<TResult>,
  end: () => Promise<unknown>,
) {
  const inProgress = new Set<Promise<TResult>>();
  let isClosed = false;
  return {
    async send(request: TRequest): Promise<TResult> {
      if (isClosed) throw new Error('the sender is closed');
      const sending = start(request);
      inProgress.add(sending);
      try {
        return await sending;
      } finally {
        inProgress.delete(sending);
      }
    },
    async close(): Promise<void> {
      isClosed = true;
      await Promise.allSettled(inProgress);
      await end();
    },
  };
}

/**
 * Runs steps one after another. Local activities of one task must not overlap: live, each resolves by itself; in a replay,
 * all that are outstanding resolve at once, and what the handlers then do comes in another order than the history has.
 */
export function createMutex(): <T>(step: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    const next = last.then(step, step);
    last = next;
    return next;
  };
}

/**
 * Creates a function that runs tasks one after another. Local activities of one workflow task must
 * not overlap. In a live run each resolves separately. In a replay all outstanding ones resolve
 * together, and their handlers run in another order than in the history.
 */
export function createMutex(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const next = last.then(task, task);
    last = next;
    return next;
  };
}

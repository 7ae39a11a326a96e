/** The first row of a result; null when there is none. */
export const firstOf = async <TRow>(rows: PromiseLike<readonly TRow[]>): Promise<TRow | null> =>
  (await rows)[0] ?? null;

/** Whether a statement returned a row. */
export const hasRows = async (rows: PromiseLike<readonly unknown[]>): Promise<boolean> =>
  (await rows).length > 0;

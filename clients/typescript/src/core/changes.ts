import type { Page } from './pages.ts';

/** Items that changed, and the position to store together with them; it may repeat some of them. */
export type ChangePage<TItem> = {
  readonly items: readonly TItem[];
  readonly position: string;
};

/**
 * The items that changed after a position, in the order of change. An iteration ends with the last
 * change that the gateway had at its first page; iterate again for later ones.
 */
export type Changes<TItem> = AsyncIterable<TItem> & {
  /**
   * Where to resume: everything up to it has been handed out, and the next item was asked for. It
   * has microseconds: store it as the text that it is.
   */
  readonly position: string;
  /** The pages, each with its own position. */
  readonly pages: () => AsyncIterable<ChangePage<TItem>>;
};

/** The response of a list with `changedSince`. */
export type ChangesResponse<TItem> = {
  readonly payload: Page<TItem>;
  readonly details: { readonly nextChangedSince?: string };
};

/**
 * The gateway keeps the list of a first page for an hour. A slower consumer starts a list of its
 * own at its position, because later pages would skip items.
 */
const listLifetimeMs = 50 * 60_000;

/**
 * The changes since an instant. All pages of one `changedSince` are read, because an agreement
 * switch gives any number of offers one instant, and page 1 alone would repeat for ever (D80).
 * While there are further pages, they may have items of the instant that ends this page. So the
 * position is the position of an earlier page, whose items have all been handed out.
 */
export function createChanges<TItem>(
  readPage: (changedSince: string, page: number) => Promise<ChangesResponse<TItem>>,
  since: string | Date,
): Changes<TItem> {
  let position = typeof since === 'string' ? since : since.toISOString();

  async function* pages(): AsyncGenerator<ChangePage<TItem>, void, undefined> {
    let list = { since: position, page: 1, startedAt: Date.now() };
    let latest = position;
    for (;;) {
      const { payload, details } = await readPage(list.since, list.page);
      const { items, pagination } = payload;
      // An empty page returns the position that was asked with.
      if (items.length === 0) return;
      const isLast = list.page >= pagination.totalPages;
      const end = details.nextChangedSince ?? latest;
      const next = isLast ? end : end === latest ? position : latest;
      latest = end;
      yield { items, position: next };
      position = next;
      if (isLast) return;
      const isOutdated = Date.now() - list.startedAt > listLifetimeMs;
      list = isOutdated
        ? { since: position, page: 1, startedAt: Date.now() }
        : { ...list, page: list.page + 1 };
      if (isOutdated) latest = position;
    }
  }
  return {
    get position() {
      return position;
    },
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { items } of pages()) yield* items;
    },
  };
}

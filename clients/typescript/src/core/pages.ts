/** One page of a list. */
export type Page<TItem> = {
  readonly items: readonly TItem[];
  readonly pagination: {
    readonly page: number;
    readonly pageSize: number;
    readonly totalCount: number;
    readonly totalPages: number;
  };
};

/** A list: iterate over its items, or over its pages. Each iteration reads it again. */
export type Pages<TItem> = AsyncIterable<TItem> & {
  readonly pages: () => AsyncIterable<Page<TItem>>;
};

/** A list; `readPage` reads one page of it. */
export function createPages<TItem>(readPage: (page: number) => Promise<Page<TItem>>): Pages<TItem> {
  async function* pages() {
    for (let page = 1; ; page += 1) {
      const read = await readPage(page);
      yield read;
      // The number of pages is the server's claim; an empty page is the end.
      if (page >= read.pagination.totalPages || read.items.length === 0) return;
    }
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { items } of pages()) yield* items;
    },
  };
}

import { payloadOf } from './http.ts';

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

/** The query of a page, of 100 items unless the filters name another size. */
export const inPage = <TFilters extends object>(filters: TFilters, page: number) => ({
  query: { pageSize: 100, ...filters, page },
});

/** A list; `readPage` reads one page of it. */
export function createPages<TItem>(
  readPage: (page: number) => Promise<{ readonly data?: { readonly payload: Page<TItem> } }>,
): Pages<TItem> {
  async function* pages() {
    for (let page = 1; ; page += 1) {
      const read = await payloadOf(readPage(page));
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

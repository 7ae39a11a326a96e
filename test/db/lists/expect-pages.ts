import { expect } from 'vitest';
import type { Page, PageRequest } from '../../../db/lists/page.ts';

/** Reads a page of a list. */
export type ReadPage = (request: PageRequest) => Promise<Page<{ readonly id: string }>>;

/**
 * Compares pages near both ends, around the middle, around a `position` and behind the end with the
 * ids of the whole list.
 */
export async function expectPages(
  order: readonly string[],
  read: ReadPage,
  position = 0,
): Promise<void> {
  for (const pageSize of [7, 20, 100]) {
    const last = Math.ceil(order.length / pageSize);
    const inner = [Math.floor(last / 2), Math.ceil(position / pageSize)];
    const near = inner.flatMap((page) => [page - 1, page, page + 1, page + 2]);
    const pages = [1, 2, ...near, last - 1, last, last + 1, last + 1000, 999_999_999_999_999];
    for (const page of new Set(pages.filter((each) => each >= 1))) {
      const { items, totalCount } = await read({ page, pageSize });
      const from = (page - 1) * pageSize;
      expect([totalCount, items.map(({ id }) => id)], `page ${page} of ${pageSize}`).toEqual([
        order.length,
        order.slice(from, from + pageSize),
      ]);
    }
  }
}

export const idsOf = async (rows: PromiseLike<readonly { readonly id: string }[]>) =>
  (await rows).map(({ id }) => id);

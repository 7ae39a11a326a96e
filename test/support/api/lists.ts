import { expect } from 'vitest';
import { itemsOf, type ApiResponse } from './api.ts';

export type Query = Readonly<Record<string, string>>;
type ListFixture = { readonly send: (method: 'GET', path: string) => Promise<ApiResponse> };

/** Reads the list of a fixture. */
export const listOf =
  ({ fixture: { send } }: { readonly fixture: ListFixture }) =>
  (query: Query = {}): Promise<ApiResponse> =>
    send('GET', `?${new URLSearchParams(query).toString()}`);
type ListCases = readonly (readonly [query: Query, ids: readonly (string | undefined)[]])[];

/** The ids of a list's items. */
export const idsOf = (response: ApiResponse): readonly string[] =>
  itemsOf(response).map(({ id }) => String(id));

/** Expects what each query lists, and unless it names a page, the total too. */
export async function expectLists(
  list: (query: Query) => Promise<ApiResponse>,
  cases: ListCases,
): Promise<void> {
  for (const [query, ids] of cases) {
    const response = await list(query);
    expect(idsOf(response), JSON.stringify(query)).toEqual(ids);
    if (query['page'] === undefined && query['pageSize'] === undefined)
      expect(response.payload).toMatchObject({ pagination: { totalCount: ids.length } });
  }
}

/** A minute of one hour in 2026. */
export const atMinute = (minute: number, micros = '000000'): string =>
  `2026-03-01T10:${String(minute).padStart(2, '0')}:00.${micros}Z`;

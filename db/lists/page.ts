/** One page of a list: `page` counts from 1. */
export type PageRequest = { readonly page: number; readonly pageSize: number };
export type Page<T> = { readonly items: readonly T[]; readonly totalCount: number };
/** A page of changes, and where the next one begins (D67); null where changes were not asked for. */
export type ChangesPage<T> = Page<T> & { readonly nextChangedSince: string | null };

export const offsetOf = ({ page, pageSize }: PageRequest): number => (page - 1) * pageSize;

/** One page of a list: `page` counts from 1. */
export type PageRequest = { readonly page: number; readonly pageSize: number };
export type Page<T> = { readonly items: readonly T[]; readonly totalCount: number };

export const offsetOf = ({ page, pageSize }: PageRequest): number => (page - 1) * pageSize;

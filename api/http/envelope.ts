import * as v from 'valibot';
import type { Page, PageRequest } from '../../db/lists/page.ts';

/** Every answer has this form; `details` is `{}` when there is nothing to say (D1). */
export const envelope = <const TPayload extends v.GenericSchema>(payload: TPayload) =>
  v.object({ state: v.literal('SUCCESS'), payload, details: v.object({}) });

/** The answer of a list that can be asked for changes: where the next page of them begins (D67). */
export const changesEnvelope = <const TPayload extends v.GenericSchema>(payload: TPayload) =>
  v.object({
    state: v.literal('SUCCESS'),
    payload,
    details: v.object({ nextChangedSince: v.optional(v.pipe(v.string(), v.isoTimestamp())) }),
  });

/** Without `changedSince` there is nothing to say. */
export const successWithChanges = <T>(payload: T, nextChangedSince: string | null) => ({
  ...success(payload),
  details: nextChangedSince === null ? {} : { nextChangedSince },
});

export const success = <T>(payload: T) => ({ state: 'SUCCESS' as const, payload, details: {} });

/** The payload of every list. */
export const pageOf = <const TItem extends v.GenericSchema>(item: TItem) =>
  v.object({
    items: v.array(item),
    pagination: v.object({
      page: v.pipe(v.number(), v.integer()),
      pageSize: v.pipe(v.number(), v.integer()),
      totalCount: v.pipe(v.number(), v.integer()),
      totalPages: v.pipe(v.number(), v.integer()),
    }),
  });

export const pagePayload = <TItem, TForm>(
  { items, totalCount }: Page<TItem>,
  { page, pageSize }: PageRequest,
  toForm: (item: TItem) => TForm,
) => ({
  items: items.map(toForm),
  pagination: { page, pageSize, totalCount, totalPages: Math.ceil(totalCount / pageSize) },
});

import * as v from 'valibot';
import type { Page, PageRequest } from '../../db/lists/page.ts';
import { previewDetails } from '../commands/validate-only.ts';
import { described } from '../validation/described.ts';
import { oncePerSchema } from '../validation/once-per-schema.ts';
import { instant, integer, titled } from '../validation/response-parts.ts';

const state = described(v.literal('SUCCESS'), 'Always `SUCCESS`.');
const payloadOf = <const TPayload extends v.GenericSchema>(payload: TPayload) =>
  described(payload, 'The requested data.');
const noDetails = described(titled('NoDetails', {}), 'Always empty.');
const detailsOf = <const TEntries extends v.ObjectEntries>(
  entries: TEntries,
  ...example: readonly [object?]
) => described(v.object(entries), 'Further information.', ...example);

/** The name of a response in the OpenAPI document. Throws for one without. */
function titleOf(schema: v.GenericSchema): string {
  const title = v.getTitle(schema);
  if (title === undefined) throw new Error('a payload and the item of a page need a title');
  return title;
}

const envelopeOf = <const TPayload extends v.GenericSchema, const TDetails extends v.GenericSchema>(
  title: string,
  payload: TPayload,
  details: TDetails,
) => titled(title, { state, payload: payloadOf(payload), details });

/** The form of every successful response; `details` is `{}` when there is nothing to add (D1). */
export const envelope = oncePerSchema(<const TPayload extends v.GenericSchema>(payload: TPayload) =>
  envelopeOf(`${titleOf(payload)}Response`, payload, noDetails),
);

const existingDetails = {
  existing: described(
    v.literal(true),
    'The call created nothing: the answer is the object that existed already, unchanged.',
    true,
  ),
};

/** The 200 of a create whose object existed already (D87). */
const existingEnvelope = <const TPayload extends v.GenericSchema>(payload: TPayload) =>
  envelopeOf(`Existing${titleOf(payload)}Response`, payload, detailsOf(existingDetails));

/** The response of a route that takes `validateOnly` (D93). */
const previewableEnvelope = oncePerSchema(
  <const TPayload extends v.GenericSchema>(payload: TPayload) =>
    envelopeOf(`${titleOf(payload)}OrPreviewResponse`, payload, detailsOf(previewDetails, {})),
);

const previewableExistingEnvelope = <const TPayload extends v.GenericSchema>(payload: TPayload) =>
  envelopeOf(
    `Existing${titleOf(payload)}OrPreviewResponse`,
    payload,
    detailsOf({ ...existingDetails, ...previewDetails }, { existing: true }),
  );

/** The response of a list with `changedSince`: it says where the next poll continues (D67). */
const changesEnvelope = oncePerSchema(<const TPayload extends v.GenericSchema>(payload: TPayload) =>
  envelopeOf(
    `${titleOf(payload)}Response`,
    payload,
    detailsOf({
      nextChangedSince: described(
        v.optional(instant),
        'The `changedSince` of the next poll: the latest change time on this page, or the ' +
          '`changedSince` that you sent when the page is empty. Present only with `changedSince`.',
        '2026-11-24T11:00:00.000312Z',
      ),
    }),
  ),
);

/** The response of a route with the payload. */
export function envelopeFor(
  payload: v.GenericSchema,
  route: {
    readonly isDelta: boolean;
    /** Whether the object existed already. */
    readonly isExisting: boolean;
    readonly isPreviewable: boolean;
  },
): v.GenericSchema {
  const { isDelta, isExisting, isPreviewable } = route;
  if (isDelta) return changesEnvelope(payload);
  if (isExisting) {
    return isPreviewable ? previewableExistingEnvelope(payload) : existingEnvelope(payload);
  }
  return isPreviewable ? previewableEnvelope(payload) : envelope(payload);
}

/** A success with the next `changedSince`; null when the caller sent none. */
export const successWithChanges = <T>(payload: T, nextChangedSince: string | null) => ({
  ...success(payload),
  details: nextChangedSince === null ? {} : { nextChangedSince },
});

export const success = <T>(payload: T, details: object = {}) => ({
  state: 'SUCCESS' as const,
  payload,
  details,
});

const pagination = titled('Pagination', {
  page: described(integer, 'The page number, counted from 1.', 1),
  pageSize: described(integer, 'The maximum number of items on a page.', 20),
  totalCount: described(integer, 'The number of items on all pages.', 1),
  totalPages: described(integer, 'The number of pages; 0 for an empty list.', 1),
});

/** The payload of every list. */
export const pageOf = oncePerSchema(<const TItem extends v.GenericSchema>(item: TItem) =>
  titled(`${titleOf(item)}Page`, {
    items: described(v.array(item), 'The items of this page.'),
    pagination: described(pagination, "The page's position in the list."),
  }),
);

export const pagePayload = <TItem, TForm>(
  { items, totalCount }: Page<TItem>,
  { page, pageSize }: PageRequest,
  toForm: (item: TItem) => TForm,
) => ({
  items: items.map(toForm),
  pagination: { page, pageSize, totalCount, totalPages: Math.ceil(totalCount / pageSize) },
});

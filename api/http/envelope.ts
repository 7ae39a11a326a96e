import * as v from 'valibot';
import type { Page, PageRequest } from '../../db/lists/page.ts';
import { previewDetails } from '../commands/validate-only.ts';
import { described } from '../validation/described.ts';
import { oncePerSchema } from '../validation/once-per-schema.ts';
import { instant, integer, titled } from '../validation/response-parts.ts';

const state = described(v.literal('SUCCESS'), 'Always `SUCCESS`.');
const noDetails = described(titled('NoDetails', {}), 'Always empty.');

/** The name of a response in the OpenAPI document. Throws for one without. */
function titleOf(schema: v.GenericSchema): string {
  const title = v.getTitle(schema);
  if (title === undefined) throw new Error('a payload and the item of a page need a title');
  return title;
}

const existingDetails = {
  existing: described(
    v.literal(true),
    'The call created nothing: the answer is the object that existed already, unchanged.',
    true,
  ),
};

const changesDetails = {
  nextChangedSince: described(
    v.optional(instant),
    'The `changedSince` of the next poll: the latest change time on this page, or the ' +
      '`changedSince` that you sent when the page is empty. Present only with `changedSince`.',
    '2026-11-24T11:00:00.000312Z',
  ),
};

/** What `details` has. */
type EnvelopeForm = {
  /** A list with `changedSince` says where the next poll continues (D67). */
  readonly isDelta?: boolean;
  /** The 200 of a create whose object existed already (D87). */
  readonly isExisting?: boolean;
  /** The route takes `validateOnly` (D93). */
  readonly isPreviewable?: boolean;
  /** The counts of a list. */
  readonly facets?: v.GenericSchema;
};

function detailsOf({ isDelta, isExisting, isPreviewable, facets }: EnvelopeForm): v.GenericSchema {
  if (!isDelta && !isExisting && !isPreviewable && facets === undefined) return noDetails;
  const entries: v.ObjectEntries = {
    ...(isDelta && changesDetails),
    ...(isExisting && existingDetails),
    ...(isPreviewable && previewDetails),
    ...(facets && { facets: described(v.optional(facets), 'Present with `facets=true`.') }),
  };
  const examples = isPreviewable ? [isExisting ? { existing: true } : {}] : [];
  const kinds = [
    isExisting && 'Existing',
    isPreviewable && 'Preview',
    isDelta && 'Changes',
    facets && 'Facets',
  ];
  const title = `${kinds.filter(Boolean).join('')}Details`;
  return described(titled(title, entries), 'Further information.', ...examples);
}

/** The envelopes of a payload by their forms: routes share what is compiled of each. */
const envelopesOf = oncePerSchema<(payload: v.GenericSchema) => Map<string, v.GenericSchema>>(
  () => new Map(),
);

/** The form of every successful response; `details` is `{}` when there is nothing to add (D1). */
export function envelope(payload: v.GenericSchema, form: EnvelopeForm = {}): v.GenericSchema {
  const made = envelopesOf(payload);
  const key = JSON.stringify(form);
  const name = `${form.isExisting ? 'Existing' : ''}${titleOf(payload)}`;
  const schema =
    made.get(key) ??
    titled(`${name}${form.isPreviewable ? 'OrPreview' : ''}Response`, {
      state,
      payload: described(payload, 'The requested data.'),
      details: detailsOf(form),
    });
  made.set(key, schema);
  return schema;
}

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

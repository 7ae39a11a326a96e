import * as v from 'valibot';
import type { Page, PageRequest } from '../../db/lists/page.ts';
import { previewDetails } from '../commands/validate-only.ts';
import { described } from '../validation/described.ts';
import { oncePerSchema } from '../validation/once-per-schema.ts';
import { field, instant, list, titled } from '../validation/response-parts.ts';

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
    'The call created nothing: the response is the object that existed already, unchanged.',
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

/** Operators' lists are counted to this number. */
export const operatorTotalMax = 10_000;

const boundedDetails = {
  totalIsLowerBound: described(v.optional(v.literal(true)), 'More items exist.'),
};

/** What `details` has. */
type EnvelopeForm = {
  /** An operators' list, whose total may be a lower bound. */
  readonly isBounded: boolean;
  /** A list with `changedSince` says where the next poll continues. */
  readonly isDelta: boolean;
  /** The 200 of a create whose object existed already. */
  readonly isExisting: boolean;
  /** The route takes `validateOnly`. */
  readonly isPreviewable: boolean;
  /** The counts of a list. */
  readonly facets: v.GenericSchema | undefined;
};

function detailsOf(form: EnvelopeForm): v.GenericSchema {
  const { isBounded, isDelta, isExisting, isPreviewable, facets } = form;
  const entries: v.ObjectEntries = {
    ...(isBounded && boundedDetails),
    ...(isDelta && changesDetails),
    ...(isExisting && existingDetails),
    ...(isPreviewable && previewDetails),
    ...(facets && { facets: described(v.optional(facets), 'Present with `facets=true`.') }),
  };
  if (Object.keys(entries).length === 0) return noDetails;
  const examples = isPreviewable ? [isExisting ? { existing: true } : {}] : [];
  const kinds = [
    isExisting && 'Existing',
    isPreviewable && 'Preview',
    isDelta && 'Changes',
    facets && 'Facets',
    isBounded && facets === undefined && 'List',
  ];
  const title = `${kinds.filter(Boolean).join('')}Details`;
  const description = isBounded ? 'Mostly empty.' : 'Further information.';
  return described(titled(title, entries), description, ...examples);
}

/** The envelopes of a payload by their forms: routes share what is compiled of each. */
const envelopesOf = oncePerSchema<(payload: v.GenericSchema) => Map<string, v.GenericSchema>>(
  () => new Map(),
);

/** The form of every successful response; `details` is `{}` when there is nothing to add. */
export function envelope(payload: v.GenericSchema, form: EnvelopeForm): v.GenericSchema {
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

const pagination = titled('Pagination', {
  page: field.integer('The page number, counted from 1.', 1),
  pageSize: field.integer('The maximum number of items on a page.', 20),
  totalCount: field.integer('The number of items on all pages.', 1),
  totalPages: field.integer('The number of pages; 0 for an empty list.', 1),
});

/** The payload of every list. */
export const pageOf = oncePerSchema(<const TItem extends v.GenericSchema>(item: TItem) =>
  titled(`${titleOf(item)}Page`, {
    items: list(item, 'The items of this page.'),
    pagination: described(pagination, "The page's position in the list."),
  }),
);

/** Whether a payload is a page of a list. */
export const isPage = (payload: v.GenericSchema): boolean =>
  'entries' in payload && Object.hasOwn(payload.entries as object, 'pagination');

/** What a list has found. */
export type Found = {
  readonly totalCount: number;
  readonly nextChangedSince?: string | null;
  readonly facets?: object | null;
};

/** The payload of a page, and its details: a total above `totalMax` is a lower bound. */
export function pagePayload(
  { totalCount: counted, nextChangedSince = null, facets = null, ...payload }: Found,
  { page, pageSize, totalMax = counted }: PageRequest,
): readonly [payload: object, details: object] {
  const totalCount = Math.min(counted, totalMax);
  const totalPages = Math.ceil(totalCount / pageSize);
  return [
    { ...payload, pagination: { page, pageSize, totalCount, totalPages } },
    {
      ...(counted > totalMax && { totalIsLowerBound: true }),
      ...(nextChangedSince !== null && { nextChangedSince }),
      ...(facets !== null && { facets }),
    },
  ];
}

/** A page whose items have another form. */
export const mapItems = <TPage extends Page<unknown>, TForm>(
  page: TPage,
  toForm: (item: TPage['items'][number]) => TForm,
) => ({ ...page, items: page.items.map(toForm) });

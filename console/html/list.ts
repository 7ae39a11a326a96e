import type { ApiPath } from '../http/api-path.ts';
import type { ListOf } from '../http/api-types.ts';
import { exportedMax, isExportable } from '../http/csv-export.ts';
import { Refusal } from '../http/refusal.ts';
import type { Listed, Page, Visit } from '../http/visit.ts';
import { instantOf, withQuery, type Query } from './formats.ts';
import { box, inFilter, labelled, selectField, textField } from './forms.ts';
import type { Choices } from './forms.ts';
import { html, type Html, type Part } from './html.ts';
import { code, failureNote, hint, link, own, pager, rowsTable } from './parts.ts';

export const pageSize = 50;

type Wrong = { readonly parameter?: string; readonly message?: string; readonly expected?: string };

/** A choice of a filter; the first one filters nothing. One that the list lacks stays chosen. */
export const choiceField = (visit: Visit, label: string, name: string, choices: Choices): Html => {
  const chosen = visit.value(name);
  const isKnown = chosen === '' || choices.some(([value]) => value === chosen);
  const all: Choices = [
    ['', visit.texts.all],
    ...choices,
    ...(isKnown ? [] : [[chosen, chosen] as const]),
  ];
  return selectField(inFilter(visit), label, name, all, chosen);
};

/** A text of a filter, with the key that leads to the first one. */
export const searchField = (visit: Visit, label: string, name: string, key = '/'): Html =>
  labelled(
    inFilter(visit),
    html`${label} ${key !== '' && html`<kbd>${key}</kbd>`}`,
    name,
    (mark) => html`<input type="search" ${mark} value="${visit.value(name)}" />`,
  );

/** The first and the last day of a form or, of {@link inFilter}, of a filter, in UTC. */
export const dayFields = (visit: Visit): readonly Html[] =>
  (['from', 'to'] as const).map((name) =>
    textField(visit, visit.texts.orders[name], name, visit.value(name), html`type="date"`),
  );

/** The first and the last instant of the days of a form or a filter, as the API takes them. */
export const askedDays = ({ value }: Visit) => ({
  from: instantOf(value('from'), '00:00:00'),
  to: instantOf(value('to'), '23:59:59.999999'),
});

/** A box of a filter; with it the filter has this value. */
export const checkField = ({ value }: Visit, label: string, name: string, chosen: string): Html =>
  box(label, name, chosen, value(name) === chosen);

/** The page of a list that the visit asks for, in the words of the API. */
export const askedPage = ({ digits }: Visit) => ({ page: numberOf(digits('page')), pageSize });

/** The number of a page or of a position, from 1. */
export const numberOf = (text: string): number =>
  Math.min(numberMax, Math.max(1, Math.trunc(Number(text)) || 1));
/** More pages than any list has. */
const numberMax = 1_000_000;

/** Reads a page of a list of the API, with what its details say of its total. */
export async function readPage<T>(
  { readAll }: Visit,
  path: ApiPath,
  query: Query,
): Promise<ListOf<T>> {
  type Details = { readonly totalIsLowerBound?: boolean };
  const { payload, details } = await readAll<ListOf<T>, Details>(path, query);
  return { ...payload, isLowerBound: details.totalIsLowerBound === true };
}

/** Reads the page of a list of the API that the visit asks for. */
export const readList = <T>(visit: Visit, path: ApiPath, filter: Query = {}): Promise<ListOf<T>> =>
  readPage<T>(visit, path, { ...filter, ...askedPage(visit) });

/** The most pages of 100 items that are read of a list that a page shows whole. */
const wholePagesMax = 10;

/** Reads a whole list for a page that shows all items. A longer list has `isLowerBound`. */
export async function readWhole<T>(
  visit: Visit,
  path: ApiPath,
  filter: Query = {},
): Promise<ListOf<T>> {
  const items: T[] = [];
  for (let page = 1; ; page += 1) {
    const found = await readPage<T>(visit, path, { ...filter, page, pageSize: 100 });
    items.push(...found.items);
    const isLast = page >= found.pagination.totalPages;
    if (isLast || page === wholePagesMax) return { ...found, items, isLowerBound: !isLast };
  }
}

/** Says under a list that it shows only its first items. */
export const moreHint = (
  { texts }: Visit,
  { items, pagination, isLowerBound }: ListOf<unknown>,
): Html | null =>
  isLowerBound === true ? hint(texts.firstOf(items.length, pagination.totalCount)) : null;

/** The total of a list, which may be a lower bound. */
export const totalOf = ({ texts }: Visit, { pagination, isLowerBound }: ListOf<unknown>): string =>
  isLowerBound === true
    ? texts.moreThan(pagination.totalCount)
    : pagination.totalCount.toLocaleString('en');

/** What is wrong with the parameter that the API has refused. */
function wrongIn({ texts }: Visit, { details }: Refusal): string {
  const { parameter = '', expected = parameter, message = expected } = details as Wrong;
  return texts.codes.filterError(parameter, message);
}

/**
 * Gives the list of a filter; if the API refuses the filter, an empty one, whose page says why at
 * the field: the one with the name in the API, unless it is the search of the field `name`.
 */
export async function orRefused<T>(
  visit: Visit,
  list: Promise<T>,
  empty: NoInfer<T>,
  name?: string,
): Promise<T> {
  try {
    return await list;
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 400) throw error;
    visit.found.filterRefusal = error;
    const { parameter = '' } = error.details as Wrong;
    visit.filterFaults.set(name ?? parameter, wrongIn(visit, error));
    return empty;
  }
}

export const emptyList: ListOf<never> = {
  items: [],
  pagination: { page: 1, pageSize, totalCount: 0, totalPages: 0 },
};

/** The list of a page, if its export can have it. */
export const exportedBy = ({ found }: Visit): Listed | null =>
  found.filterRefusal === null && found.listed !== null && isExportable(found.listed)
    ? found.listed
    : null;

/** Leads to the file with all of a list as filtered. */
export function exportLink(visit: Visit): Html | null {
  if (exportedBy(visit) === null) return null;
  const [path = '', query] = visit.url.split('?');
  const asked = Object.fromEntries(new URLSearchParams(query));
  const to = withQuery(path, { ...asked, page: null, done: null, csv: 'true' });
  return html`<p>${link(to, visit.texts.csv(exportedMax))}</p>`;
}

/** As {@link readList} by a filter that a person has written. */
export function readFiltered<T>(visit: Visit, path: ApiPath, filter: Query): Promise<ListOf<T>> {
  visit.found.listed = { path, filter };
  return orRefused(visit, readList<T>(visit, path, filter), emptyList);
}

/** Says that a filter was refused, and what is wrong with it. */
function refusalNote(visit: Visit): Html | null {
  const { filterRefusal: refusal } = visit.found;
  if (refusal === null) return null;
  const { parameter = '' } = refusal.details as Wrong;
  return failureNote(
    html`${visit.texts.failures[400]} ${own(wrongIn(visit, refusal))}
    ${code(html`${refusal.code} ${parameter}`)}`,
  );
}

/**
 * As `Promise.all`, but of several failures the first in the list decides, not the first in time.
 * So the record of a page stands before its lists.
 */
export async function allInOrder<const T extends readonly unknown[]>(
  values: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(values);
  for (const value of values) await value;
  return Promise.all(values);
}

/** A list with its filter, its rows, and links to its other pages. */
export function listPage<T>(
  visit: Visit,
  list: ListOf<T>,
  shown: {
    readonly title: string;
    readonly notice?: Part;
    readonly fields?: Part;
    readonly columns: Parameters<typeof rowsTable>[0];
    readonly row: (item: T) => readonly Part[];
    readonly empty?: string;
    readonly before?: Part;
    readonly after?: Part;
  },
): Page {
  const isRefused = visit.found.filterRefusal !== null;
  // A page after the last one is empty, but its list is not.
  const hasNone = list.pagination.totalCount === 0;
  const empty = hasNone ? (shown.empty ?? visit.texts.empty) : undefined;
  return {
    title: shown.title,
    heading: html`${shown.title} <span class="muted">${totalOf(visit, list)}</span>`,
    notice: [shown.notice, refusalNote(visit)],
    ...(isRefused && { status: 400 }),
    beside:
      shown.fields &&
      html`<form class="filter" role="search" action="${visit.url.split('?')[0]}">
        ${shown.fields}<button>${visit.texts.filter}</button>
      </form>`,
    content: html`${shown.before}
    ${!isRefused && rowsTable(shown.columns, list.items.map(shown.row), empty)}
    ${pager(visit, list.pagination, list.isLowerBound)}
    ${list.items.length > 0 && exportLink(visit)} ${shown.after}`,
  };
}

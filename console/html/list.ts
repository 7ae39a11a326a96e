import type { ListOf, Vendor } from '../http/api-types.ts';
import { withQuery } from '../http/gateway-calls.ts';
import { numberOf, type Page, type Visit } from '../http/visit.ts';
import { html, type Html, type Part } from './html.ts';
import { options, pager, rowsTable } from './parts.ts';

export const pageSize = 50;
type Filter = Readonly<Record<string, string>>;

/** A choice of a filter; the first one filters nothing. */
export const choiceField = (
  { texts, value }: Visit,
  label: string,
  name: string,
  choices: Parameters<typeof options>[0],
): Html =>
  html`<label>
    ${label}
    <select name="${name}">
      ${options(choices, value(name), texts.all)}
    </select>
  </label>`;

/** The choice of a vendor, of those that are known. */
export const vendorField = (visit: Visit, vendors: ReadonlyMap<string, Vendor>): Html =>
  choiceField(
    visit,
    visit.texts.vendor,
    'vendorId',
    Array.from(vendors.values(), ({ id, name }) => [id, name] as const),
  );

/** A text of a filter, with the key that leads to the first one. */
export const searchField = ({ value }: Visit, label: string, name: string, key = '/'): Html =>
  html`<label>
    ${label} ${key !== '' && html`<kbd>${key}</kbd>`}
    <input type="search" name="${name}" value="${value(name)}" />
  </label>`;

/** A box of a filter; with it the filter has this value. */
export const checkField = ({ value }: Visit, label: string, name: string, chosen: string): Html =>
  html`<label class="check">
    <input
      type="checkbox"
      name="${name}"
      value="${chosen}"
      ${value(name) === chosen && html`checked`}
    />
    ${label}
  </label>`;

/** The page of a list that the visit asks for, in the words of the API. */
export const askedPage = ({ value }: Visit) => ({ page: numberOf(value('page')), pageSize });

/** Reads the page of a list of the API that the visit asks for. */
export const readList = <T>(visit: Visit, path: string, filter: Filter) =>
  visit.read<ListOf<T>>(path, { ...filter, ...askedPage(visit) });

/** A list with its filter, its rows, and links to its other pages. */
export function listPage<T>(
  visit: Visit,
  { items, pagination }: ListOf<T>,
  shown: {
    readonly title: string;
    /** The path of the page. */
    readonly path: string;
    readonly filter: Filter;
    /** The fields of the filter; none if the list has none. */
    readonly fields?: readonly Html[];
    readonly columns: Parameters<typeof rowsTable>[0];
    readonly row: (item: T) => readonly Part[];
    /** The text of a list without items. */
    readonly empty: string;
    /** What stands above and below the list. */
    readonly before?: Html | null;
    readonly after?: Part;
  },
): Page {
  const { title, path, filter, fields = [], columns, row, empty, before, after } = shown;
  return {
    title,
    body: html`${before}
      <div class="head">
        <h1>${title} <span class="muted">${pagination.totalCount}</span></h1>
        ${
          fields.length > 0 &&
          html`<form class="filter" role="search">
            ${fields}<button>${visit.texts.filter}</button>
          </form>`
        }
      </div>
      ${rowsTable(columns, items.map(row), empty)}
      ${pager(visit, pagination, (to) => withQuery(path, { ...filter, page: to }))} ${after}`,
  };
}

import type { ListOf } from '../http/api-types.ts';
import type { Page, Visit } from '../http/visit.ts';
import type { Query } from './formats.ts';
import { selectField, type Choices } from './forms.ts';
import { html, type Html, type Part } from './html.ts';
import { pager, rowsTable } from './parts.ts';

export const pageSize = 50;

/** A choice of a filter; the first one filters nothing. */
export const choiceField = (visit: Visit, label: string, name: string, choices: Choices): Html =>
  selectField(label, name, [['', visit.texts.all], ...choices], visit.value(name));

/** A text of a filter, with the key that leads to the first one. */
export const searchField = ({ value }: Visit, label: string, name: string, key = '/'): Html =>
  html`<label>
    ${label} ${key !== '' && html`<kbd>${key}</kbd>`}
    <input type="search" name="${name}" value="${value(name)}" />
  </label>`;

/** A box of a filter; with it the filter has this value. */
export const checkField = ({ value }: Visit, label: string, name: string, chosen: string): Html => {
  const mark = value(name) === chosen && html`checked`;
  return html`<label class="check">
    <input type="checkbox" name="${name}" value="${chosen}" ${mark} /> ${label}
  </label>`;
};

/** The page of a list that the visit asks for, in the words of the API. */
export const askedPage = ({ value }: Visit) => ({ page: numberOf(value('page')), pageSize });

/** The number of a page or of a position, from 1. */
export const numberOf = (text: string): number => Math.max(1, Math.trunc(Number(text)) || 1);

/** Reads the page of a list of the API that the visit asks for. */
export const readList = <T>(visit: Visit, path: string, filter: Query = {}) =>
  visit.read<ListOf<T>>(path, { ...filter, ...askedPage(visit) });

/**
 * As `Promise.all`, but of several failures the first in the list decides, not the first in time. So
 * the record of a page stands before its lists.
 */
export async function allInOrder<const T extends readonly unknown[]>(
  values: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(values);
  for (const value of values) await value;
  return Promise.all(values);
}

/** A list with its filter, its rows, and links to its other pages. */
export const listPage = <T>(
  visit: Visit,
  { items, pagination }: ListOf<T>,
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
): Page => ({
  title: shown.title,
  heading: html`${shown.title} <span class="muted">${pagination.totalCount}</span>`,
  notice: shown.notice,
  beside:
    shown.fields &&
    html`<form class="filter" role="search">
      ${shown.fields}<button>${visit.texts.filter}</button>
    </form>`,
  content: html`${shown.before}
  ${rowsTable(shown.columns, items.map(shown.row), shown.empty ?? visit.texts.empty)}
  ${pager(visit, pagination)} ${shown.after}`,
});

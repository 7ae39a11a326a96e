import type { ListOf, ReturnDetail } from '../http/api-types.ts';
import type { Visit } from '../http/visit.ts';
import { html, type Html, type Part } from './html.ts';

/** A text of others, whose direction is its own. */
export const own = (text: Part): Html => html`<bdi>${text}</bdi>`;
/** An id, or another text of machines. */
export const code = (text: Part): Html => html`<bdi class="id">${text}</bdi>`;

/**
 * A barcode in groups of digits, as they are printed; a copy of it has no blanks. The digits that
 * differ from those of another barcode, counted from the end, are marked.
 */
export function barcode(digits: string, other: string | null = null): Html {
  const padded = (other ?? digits).padStart(digits.length, '0').slice(-digits.length);
  const size = digits.length === 8 ? 4 : 6;
  const groups: Html[][] = [];
  for (const [at, digit] of digits.split('').entries()) {
    if (at === 0 || (digits.length - at) % size === 0) groups.push([]);
    groups.at(-1)?.push(digit === padded[at] ? html`${digit}` : html`<mark>${digit}</mark>`);
  }
  return html`<bdi class="id"
    >${groups.map((group) => html`<span class="digits">${group}</span>`)}</bdi
  >`;
}

export const muted = (content: Part): Html => html`<div class="muted">${content}</div>`;
/** A sentence beside what matters. */
export const hint = (text: Part): Html => html`<p class="muted">${text}</p>`;
export const link = (path: string, content: Part): Html => html`<a href="${path}">${content}</a>`;
/** A link out of the console: it opens apart, and its target does not learn the page. */
export const outerLink = (url: string, content: Part): Html =>
  html`<a href="${url}" rel="noreferrer noopener" target="_blank">${content}</a>`;

export const chip = (name: Part, mark: 'good' | 'warn' | 'bad' | false = false): Html =>
  html`<span class="chip ${mark}">${name}</span>`;
export const activeChip = ({ texts }: Visit, { isActive }: { readonly isActive: boolean }): Html =>
  isActive ? chip(texts.states.active, 'good') : chip(texts.states.inactive, 'bad');

/** What the form before has done, or what is to be known. */
export const note = (text: Part, mark: 'good' | 'warn' | 'bad' = 'good'): Html =>
  html`<div class="notice ${mark}" role="status">${text}</div>`;
export const failureNote = (text: Part): Html =>
  html`<div class="notice bad" role="alert">${text}</div>`;

/** A note of the number of things that the form before has changed; null in another address. */
export const doneNote = ({ claimed }: Visit, textOf: (count: number) => string): Html | null =>
  /^\d{1,9}$/.test(claimed('done')) ? note(textOf(Number(claimed('done')))) : null;

/** A table or a list under its heading. */
export const section = (title: Part, content: Part, kind = ''): Html =>
  html`<section class="${kind}">
    <h2>${title}</h2>
    ${content}
  </section>`;
export const card = (title: Part, content: Part): Html => section(title, content, 'card scroll');

export type Fact = readonly [name: Part, value: Part];
/** Facts by their names; one of false is left out. */
export const facts = (rows: readonly Fact[]): Html =>
  html`<dl>
    ${rows.map(
      ([name, value]) =>
        value !== false &&
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;

export const list = (items: readonly Part[]): Html =>
  html`<ul class="plain">
    ${items.map((item) => html`<li>${item}</li>`)}
  </ul>`;

export const factsCard = (title: Part, rows: readonly Fact[]): Html => card(title, facts(rows));

type Dated = readonly [content: Part, at: string];

export const timeline = ({ instant }: Visit, events: readonly Dated[], empty = '—'): Html =>
  events.length === 0
    ? hint(empty)
    : html`<ol class="timeline">
        ${events.map(([content, at]) => html`<li>${content} ${muted(instant(at))}</li>`)}
      </ol>`;

/** The status changes of an offer or a return, the newest first. */
export function statusTimeline(visit: Visit, changes: ReturnDetail['history']): Html {
  const { statuses } = visit.texts;
  const events = changes.toReversed().map(({ at, to, reason }) => {
    const status = statuses[to as keyof typeof statuses];
    return [html`${status} ${reason !== null && html`<br />${own(reason)}`}`, at] as const;
  });
  return timeline(visit, events);
}

/** The name of a column; of numbers, which end at the same edge, in a list. */
type Column = string | readonly [name: string];

/**
 * A table; a column may have no name. The first cell of a row names it. On a phone each row is a
 * card; a cell of null is left out.
 */
export const rowsTable = (
  columns: readonly Column[],
  rows: readonly (readonly Part[])[],
  empty = '—',
): Html =>
  rows.length === 0
    ? html`<div class="card muted">${empty}</div>`
    : html`<div class="card scroll">
        <table class="rows">
          <thead>
            <tr>
              ${columns.map(headerOf)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (cells) =>
                html`<tr data-row>
                  ${cells.map((cell, index) => cellOf(cell, index === 0 ? null : columns[index]))}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`;

const headerOf = (column: Column): Html =>
  column === '' ? html`<td></td>` : html`<th class="${numeric(column)}">${column}</th>`;

const numeric = (column: Column | undefined): string => (typeof column === 'object' ? 'num' : '');

function cellOf(cell: Part, column: Column | null | undefined): Html {
  if (cell === null || column === '') return html`<td>${cell}</td>`;
  if (column === null) return html`<th scope="row" class="lead">${cell}</th>`;
  return html`<td class="${numeric(column)}" data-label="${column}">${cell}</td>`;
}

/**
 * Links to the pages of a list before and after this one, if there are several. The parameter
 * `name` of the address has the number of the page.
 */
export function pager(
  { texts, url }: Visit,
  { page, totalPages }: ListOf<never>['pagination'],
  isLowerBound = false,
  name = 'page',
): Html | null {
  if (totalPages < 2 && page === 1) return null;
  const isAfterLast = !isLowerBound && page > totalPages;
  const previous = Math.max(1, isAfterLast ? totalPages : page - 1);
  const linkTo = (to: number, text: string): Html => {
    const [path = '', query] = url.split('?');
    const asked = new URLSearchParams(query);
    asked.delete('done');
    asked.set(name, String(to));
    return link(`${path}?${String(asked)}`, text);
  };
  return html`<nav class="pager">
    ${page > 1 && linkTo(previous, texts.previous)}
    ${
      !isAfterLast &&
      html`<span class="muted"
        >${texts.pageOf(page, isLowerBound ? texts.moreThan(totalPages) : totalPages)}</span
      >`
    }
    ${(page < totalPages || isLowerBound) && linkTo(page + 1, texts.following)}
  </nav>`;
}

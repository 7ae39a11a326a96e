import type { ListOf } from '../http/api-types.ts';
import type { Visit } from '../http/visit.ts';
import { html, type Html, type Part } from './html.ts';

/** The options of a choice, the first of which is none of them. */
export const options = (
  choices: readonly (readonly [value: string, name: string])[],
  chosen: string,
  first: string,
): Html =>
  html`${[['', first] as const, ...choices].map(
    ([value, name]) =>
      html`<option value="${value}" ${value === chosen && html`selected`}>${name}</option>`,
  )}`;

/** A card with its heading. */
export const card = (title: Part, content: Part): Html =>
  html`<section class="card scroll">
    <h2>${title}</h2>
    ${content}
  </section>`;

/** Names with their values. */
export const facts = (rows: readonly (readonly [name: string, value: Part])[]): Html =>
  html`<dl>
    ${rows.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;

/** The name of a column; of numbers, which end at the same edge, in a list. */
type Column = string | readonly [name: string];

/**
 * A table; a column may have no name. On a phone each row is a card, whose first cell names it; a
 * cell of null is left out.
 */
export const rowsTable = (
  columns: readonly Column[],
  rows: readonly (readonly Part[])[],
  empty: string,
): Html =>
  rows.length === 0
    ? html`<p class="card muted">${empty}</p>`
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
  if (cell === null) return html`<td></td>`;
  if (column === null) return html`<td class="lead">${cell}</td>`;
  if (column === '') return html`<td>${cell}</td>`;
  return html`<td class="${numeric(column)}" data-label="${column}">${cell}</td>`;
}

/** Links to the pages before and after this one, if there are several. */
export function pager(
  { texts }: Visit,
  { page, totalPages }: ListOf<never>['pagination'],
  linkTo: (page: number) => string,
): Html | null {
  if (totalPages < 2 && page === 1) return null;
  return html`<nav class="pager">
    ${page > 1 && html`<a href="${linkTo(page - 1)}">${texts.previous}</a>`}
    <span class="muted">${texts.pageOf(page, totalPages)}</span>
    ${page < totalPages && html`<a href="${linkTo(page + 1)}">${texts.following}</a>`}
  </nav>`;
}

/** Why nothing was done. */
export const failureNote = (text: Part): Html =>
  html`<p class="notice bad" role="alert">${text}</p>`;

/** What was decided on the page before, with a link to it. */
export function doneNotice({ texts: { decision }, value }: Visit): Html | null {
  const { [value('done') as keyof typeof decision.done]: text } = decision.done;
  const last = value('last');
  if (text === undefined || !/^[\da-f-]{36}$/.test(last)) return null;
  return html`<p class="notice good" role="status">
    ${text}. <a href="/console/offers/${last}">${decision.open}</a>
  </p>`;
}

/** What the form before has done: the page's address has the number of things that it changed. */
export const doneNote = ({ value }: Visit, text: (count: number) => string): Html | null =>
  /^\d{1,9}$/.test(value('done'))
    ? html`<p class="notice good" role="status">${text(Number(value('done')))}</p>`
    : null;

/** Whether something is active, as a chip. */
export const activeChip = ({ texts }: Visit, { isActive }: { readonly isActive: boolean }): Html =>
  html`<span class="chip ${isActive ? 'good' : 'bad'}"
    >${isActive ? texts.activity.on : texts.activity.off}</span
  >`;

/** The hidden fields of a form; those without a value are left out. */
export const hiddenFields = (fields: Readonly<Record<string, string | number | null>>): Html =>
  html`${Object.entries(fields).map(
    ([name, value]) =>
      value !== null &&
      value !== '' &&
      html`<input type="hidden" name="${name}" value="${value}" />`,
  )}`;

/** A form of one button. */
export const postButton = (
  action: string,
  label: string,
  fields: Parameters<typeof hiddenFields>[0] = {},
): Html =>
  html`<form method="post" action="${action}">
    ${hiddenFields(fields)}<button>${label}</button>
  </form>`;

/** A button that opens a form. Its key opens it too. */
export const openedForm = ({
  action,
  method = 'post',
  content,
  label,
  button,
  key,
  isDanger = false,
}: {
  readonly action: string;
  readonly method?: 'get' | 'post';
  readonly content: Part;
  readonly label: string;
  readonly button: string;
  readonly key?: string | undefined;
  readonly isDanger?: boolean;
}): Html =>
  html`<details class="reason">
    <summary class="button ${isDanger && 'danger'}" data-key="${key}">
      ${label}${key !== undefined && html` <kbd>${key}</kbd>`}
    </summary>
    <form method="${method}" action="${action}">
      ${content}
      <button class="${isDanger && 'danger'}">${button}</button>
    </form>
  </details>`;

/** An {@link openedForm} with a reason, which may be one of the recent ones. */
export const reasonForm = ({
  fields,
  reasonLabel,
  recent = [],
  isRequired = true,
  ...form
}: Omit<Parameters<typeof openedForm>[0], 'content' | 'method'> & {
  readonly fields: Html;
  readonly reasonLabel: string;
  readonly recent?: readonly string[];
  readonly isRequired?: boolean;
}): Html =>
  openedForm({
    ...form,
    content: html`${fields}
      ${recent.map(
        (reason, index) =>
          html`<label class="check">
            <input type="radio" name="recent" value="${reason}" data-key="${index + 1}" />
            <kbd>${index + 1}</kbd> <bdi>${reason}</bdi>
          </label>`,
      )}
      <label>
        ${reasonLabel}
        <textarea
          name="reason"
          rows="2"
          maxlength="4000"
          ${isRequired && recent.length === 0 && html`required`}
        ></textarea>
      </label>`,
  });

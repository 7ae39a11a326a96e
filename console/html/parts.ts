import type { ListOf } from '../http/api-types.ts';
import type { Visit } from '../http/visit.ts';
import type { Texts } from '../texts/texts.ts';
import { html, type Html } from './html.ts';

/** The options of a filter, the first of which filters nothing. */
export const options = (
  choices: readonly (readonly [value: string, name: string])[],
  chosen: string,
  { all }: Texts,
): Html =>
  html`${[['', all] as const, ...choices].map(
    ([value, name]) =>
      html`<option value="${value}" ${value === chosen && html`selected`}>${name}</option>`,
  )}`;

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

/** What was decided on the page before, with a link to it. */
export function doneNotice({ texts: { decision }, value }: Visit): Html | null {
  const { [value('done') as keyof typeof decision.done]: text } = decision.done;
  const last = value('last');
  if (text === undefined || !/^[\da-f-]{36}$/.test(last)) return null;
  return html`<p class="notice good" role="status">
    ${text}. <a href="/console/offers/${last}">${decision.open}</a>
  </p>`;
}

/** The hidden fields of a form; those without a value are left out. */
export const hiddenFields = (fields: Readonly<Record<string, string | number | null>>): Html =>
  html`${Object.entries(fields).map(
    ([name, value]) =>
      value !== null &&
      value !== '' &&
      html`<input type="hidden" name="${name}" value="${value}" />`,
  )}`;

/** A button that opens a form with a reason. Its key opens it too. */
export const reasonForm = ({
  action,
  fields,
  label,
  button,
  reasonLabel,
  key,
  isRequired = true,
  isDanger = false,
}: {
  readonly action: string;
  readonly fields: Html;
  readonly label: string;
  readonly button: string;
  readonly reasonLabel: string;
  readonly key?: string;
  readonly isRequired?: boolean;
  readonly isDanger?: boolean;
}): Html =>
  html`<details class="reason">
    <summary class="button ${isDanger && 'danger'}" data-key="${key}">
      ${label}${key !== undefined && html` <kbd>${key}</kbd>`}
    </summary>
    <form method="post" action="${action}">
      ${fields}
      <label>
        ${reasonLabel}
        <textarea
          name="reason"
          rows="2"
          maxlength="4000"
          ${isRequired && html`required`}
        ></textarea>
      </label>
      <button class="${isDanger && 'danger'}">${button}</button>
    </form>
  </details>`;

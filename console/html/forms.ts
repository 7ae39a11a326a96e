import type { Visit } from '../http/visit.ts';
import { html, type Html, type Part } from './html.ts';

export type Choices = readonly (readonly [value: string, name: string])[];

export const named = <T extends string>(
  values: readonly T[],
  names: Readonly<Record<T, string>>,
): Choices => values.map((value) => [value, names[value]]);

/** After Back, a browser would restore a state by the position of its field, in another list too. */
export const unrestored = html`autocomplete="off"`;

export const options = (choices: Choices, chosen: string): Html =>
  html`${choices.map(
    ([value, name]) =>
      html`<option value="${value}" ${value === chosen && html`selected`}>${name}</option>`,
  )}`;

export const selectField = (
  label: string,
  name: string,
  choices: Choices,
  chosen = '',
  attributes: Part = null,
): Html =>
  html`<label>
    ${label}
    <select autocomplete="off" name="${name}" ${attributes}>
      ${options(choices, chosen)}
    </select>
  </label>`;

/** A choice that must be made: it begins without one. */
export const requiredChoice = (label: string, name: string, choices: Choices, chosen = ''): Html =>
  selectField(label, name, [['', '—'], ...choices], chosen, html`required`);

export const textField = (
  label: Part,
  name: string,
  value: string | number | null = '',
  attributes: Part = html`required`,
): Html => html`<label>${label} <input name="${name}" value="${value}" ${attributes} /></label>`;

/** A field of several lines, with the most characters that the API takes. */
export const longField = (
  label: Part,
  name: string,
  value: string,
  isRequired: boolean,
  max = 4000,
): Html => {
  const form = html`name="${name}" rows="2" maxlength="${max}" ${isRequired && html`required`}`;
  return html`<label>${label} <textarea ${form}>${value}</textarea></label>`;
};

type Fields = Readonly<Record<string, string | number | readonly string[] | null>>;

/** The hidden fields of a form; those without a value are left out. */
export const hiddenFields = (fields: Fields): Part =>
  Object.entries(fields).flatMap(([name, values]) => {
    const given = [values].flat().filter((value) => value !== null && value !== '');
    return given.map(
      (value) => html`<input type="hidden" name="${name}" value="${value}" ${unrestored} />`,
    );
  });

export const postButton = (
  action: string,
  label: Part,
  fields: Fields = {},
  key: string | null = null,
): Html =>
  html`<form method="post" action="${action}">
    ${hiddenFields(fields)}<button data-key="${key}">${label}</button>
  </form>`;

type OpenedForm = {
  readonly action: string;
  readonly method?: 'get' | 'post';
  /** What the form does; its button has the same text as what opens it. */
  readonly button: string;
  readonly content?: Part;
  readonly key?: string;
  readonly isDanger?: boolean;
  readonly isOpen?: boolean;
};

/** A button that opens a form. Its key opens it too. */
export function openedForm({ action, method, button, content, key, ...form }: OpenedForm): Html {
  const mark = form.isDanger && 'danger';
  return html`<details class="reason" ${form.isOpen && html`open`}>
    <summary class="button ${mark}" data-key="${key}">
      ${button}…${key !== undefined && html` <kbd>${key}</kbd>`}
    </summary>
    <form method="${method ?? 'post'}" action="${action}">
      ${content}
      <button class="${mark}">${button}</button>
    </form>
  </details>`;
}

/** A reason, which may be a recent one. The reason of a form that was refused stays. */
export const reasonField = (
  { sentTo, value }: Visit,
  label: string,
  isRequired: boolean,
  recent: readonly string[] = [],
): Html =>
  html`${recent.map(
    (each, index) =>
      html`<label class="check">
        <input type="radio" name="recent" value="${each}" data-key="${index + 1}" ${unrestored} />
        <kbd>${index + 1}</kbd> <bdi>${each}</bdi>
      </label>`,
  )}
  ${longField(label, 'reason', sentTo && value('reason'), isRequired && recent.length === 0)}`;

/** The form that switches something on or off, with what that does. */
export const switchForm = (
  { texts }: Visit,
  action: string,
  { isActive }: { readonly isActive: boolean },
  content: Part,
): Html =>
  openedForm({
    action,
    button: isActive ? texts.turnOff : texts.turnOn,
    content: html`${hiddenFields({ isActive: String(!isActive) })} ${content}`,
    isDanger: isActive,
  });

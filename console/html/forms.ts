import { isId } from '../http/api-path.ts';
import type { Visit } from '../http/visit.ts';
import { html, type Html, type Part } from './html.ts';

export type Choices = readonly (readonly [value: string, name: string])[];

export const named = <T extends string>(
  values: readonly T[],
  names: Readonly<Record<T, string>>,
): Choices => values.map((value) => [value, names[value]]);

/**
 * After Back, a browser would restore a state by the position of its field, in another list too.
 */
export const unrestored = html`autocomplete="off"`;

export const options = (choices: Choices, chosen: string): Html =>
  html`${choices.map(
    ([value, name]) =>
      html`<option value="${value}" ${value === chosen && html`selected`}>${name}</option>`,
  )}`;

/**
 * The visit for the fields of the form that goes to `action`; `isThis` tells forms apart that go to
 * the same one. It has faults only if the form was sent, and is open then: a page has several.
 */
export function inForm(visit: Visit, action: string, isThis = true) {
  const isOpen = isThis && visit.sentTo === action;
  return { ...visit, action, isOpen, faults: isOpen ? visit.faults : new Map<string, string>() };
}
export type SentForm = ReturnType<typeof inForm>;

/** The visit for the fields of a filter or a search, with its own faults. */
export const inFilter = (visit: Visit): Visit => ({ ...visit, faults: visit.filterFaults });

/** The names in the API of fields that a form names otherwise. */
const apiNames: Readonly<Record<string, readonly string[]>> = {
  text: ['q', 'barcode', 'code'],
  code: ['barcode'],
  number: ['returnRequestNumber'],
  note: ['text'],
  percent: ['markupPercent', 'commissionPercent'],
};

/** What is wrong with a field of what was refused; null if nothing is. */
export function faultOf({ faults }: Visit, name: string): Html | null {
  const known = [name, ...(apiNames[name] ?? [])].find((each) => faults.has(each));
  return known === undefined
    ? null
    : html`<span class="danger"><bdi>${faults.get(known)}</bdi></span>`;
}

/** A field under its label, with what is wrong with it. */
export function labelled(
  visit: Visit | null,
  label: Part,
  name: string,
  fieldOf: (mark: Part) => Html,
): Html {
  const fault = visit && faultOf(visit, name);
  const mark = fault === null ? html`name="${name}"` : html`name="${name}" aria-invalid="true"`;
  return html`<label>${label} ${fieldOf(mark)} ${fault}</label>`;
}

/** A box under its label. */
export const box = (
  label: Part,
  name: string,
  value: string,
  isChecked: boolean,
  more: Part = null,
): Html => {
  const input = html`type="checkbox" name="${name}" value="${value}"`;
  return html`<label class="check">
    <input ${input} ${more} ${isChecked && html`checked`} ${unrestored} /> ${label}
  </label>`;
};

export const selectField = (
  visit: Visit,
  label: string,
  name: string,
  choices: Choices,
  chosen = '',
  attributes: Part = null,
): Html =>
  labelled(
    visit,
    label,
    name,
    (mark) =>
      html`<select autocomplete="off" ${mark} ${attributes}>
        ${options(choices, chosen)}
      </select>`,
  );

/** A choice that must be made: it begins without one. */
export const requiredChoice = (
  visit: Visit,
  label: string,
  name: string,
  choices: Choices,
  chosen = '',
): Html => selectField(visit, label, name, [['', '—'], ...choices], chosen, html`required`);

/** A field of one line; of a page without an operator, `visit` is null. */
export const textField = (
  visit: Visit | null,
  label: Part,
  name: string,
  value: string | number | null = '',
  attributes: Part = html`required`,
): Html =>
  labelled(visit, label, name, (mark) => html`<input ${mark} value="${value}" ${attributes} />`);

/** A field of several lines, with the most characters that the API takes, and what was typed. */
export const longField = (
  visit: Visit,
  label: Part,
  name: string,
  isRequired: boolean,
  max = 4000,
): Html => {
  const form = html`rows="2" maxlength="${max}" ${isRequired && html`required`}`;
  return labelled(
    visit,
    label,
    name,
    (mark) => html`<textarea ${mark} ${form}>${visit.typed(name)}</textarea>`,
  );
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
  readonly method?: 'get' | 'post';
  /** What the form does; its button has the same text as what opens it. */
  readonly button: string;
  readonly content?: Part;
  readonly key?: string;
  readonly isDanger?: boolean;
};

/**
 * The key of a form that creates. A form that was sent keeps its key when it is shown again: a call
 * that failed may have created already, and the API keeps no response that refuses.
 */
export function formKey({ isOpen, typed, found }: SentForm): string {
  const sent = typed('key');
  return isOpen && isId(sent) && !found.isKeyReused ? sent : crypto.randomUUID();
}

/** A button that opens a form, and closes another one. Its key opens it too. */
export function openedForm(
  { action, isOpen }: { readonly action: string; readonly isOpen?: boolean },
  { method, button, content, key, isDanger }: OpenedForm,
): Html {
  const mark = isDanger && 'danger';
  return html`<details name="form" class="reason" ${isOpen && html`open`}>
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
  visit: Visit,
  label: string,
  isRequired: boolean,
  recent: readonly string[] = [],
): Html =>
  html`${recent.map((each, index) => {
    const mark = visit.typed('recent') === each && html`checked`;
    const input = html`type="radio" name="recent" value="${each}" ${mark} ${unrestored}`;
    return html`<label class="check">
      <input ${input} data-key="${index + 1}" />
      <kbd>${index + 1}</kbd> <bdi>${each}</bdi>
    </label>`;
  })}
  ${longField(visit, label, 'reason', isRequired && recent.length === 0)}`;

/** The form that switches something on or off, with what that does. */
export const switchForm = (
  { texts }: Visit,
  action: string,
  { isActive }: { readonly isActive: boolean },
  content: Part,
): Html =>
  openedForm(
    { action },
    {
      button: isActive ? texts.turnOff : texts.turnOn,
      content: html`${hiddenFields({ isActive: String(!isActive) })} ${content}`,
      isDanger: isActive,
    },
  );

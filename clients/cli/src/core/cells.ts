import type { Reason } from './explain.ts';

/** How a cell is read. Money is decimal text in SAR; an id is text that a spreadsheet changes. */
export type CellKind = 'text' | 'id' | 'barcode' | 'money' | 'integer' | 'boolean';
export type CellValue = string | number | boolean;

/** Why a cell cannot be read. */
type Problem = Omit<Reason, 'field'>;

/** The codes of cells that cannot be read. Their messages differ by the value only. */
export const cellCodes: ReadonlySet<string> = new Set([
  'changed_by_spreadsheet',
  'decimal_comma',
  'thousands_separator',
  'arabic_digits',
  'invalid_cell',
]);

const valueLengthMax = 40;
/** A value as messages have it. */
export const shortened = (text: string): string =>
  text.length > valueLengthMax ? `${text.slice(0, valueLengthMax - 1)}…` : text;

/** How a spreadsheet writes a long number, such as `6.29104E+12`. */
const spreadsheetNumber = /^-?\d(?:[.,]\d+)?E[+-]\d{2,}$/i;
/** Any number with an exponent. No barcode, amount or quantity has one. */
const exponentNumber = /^[-+]?\d+(?:[.,]\d+)?e[-+]?\d+$/i;

const changedBySpreadsheet = (text: string): Problem => ({
  code: 'changed_by_spreadsheet',
  message: `${text} was changed by a spreadsheet; format the column as text`,
});

// Programs write the zeros of 10.500 and of 3.0.
const amount = /^\d{1,13}(?:\.\d{1,2}0*)?$/;
const wholeNumber = /^\d{1,15}(?:\.0+)?$/;

/** Eastern Arabic and Persian digits and separators as ASCII has them. */
const withAsciiDigits = (text: string): string =>
  text
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replaceAll('\u066b', '.')
    .replaceAll('\u066c', ',');

/** The forms of numbers that spreadsheets of other languages write, and how they are meant. */
const foreignForms = [
  ['decimal_comma', 'a decimal comma', /^\d+,\d{1,2}$/, /$^/g],
  ['decimal_comma', 'a decimal comma', /^\d{1,3}(?:\.\d{3})+,\d{1,2}$/, /\./g],
  ['decimal_comma', 'a decimal comma', /^\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+,\d{1,2}$/, /[^\d,]/g],
  ['thousands_separator', 'a thousands separator', /^\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?$/, /,/g],
  [
    'thousands_separator',
    'a thousands separator',
    /^\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?:\.\d{1,2})?$/,
    /[^\d.]/g,
  ],
] as const;

/** Why a text is no number of this form, with the number that is meant, if that is clear. */
function numberProblem(text: string, form: RegExp, otherwise: string): Problem {
  const value = shortened(text);
  if (exponentNumber.test(text)) return changedBySpreadsheet(value);
  const ascii = withAsciiDigits(text);
  for (const [code, name, pattern, separators] of foreignForms) {
    if (!pattern.test(ascii)) continue;
    const meant = ascii.replaceAll(separators, '').replace(',', '.');
    if (form.test(meant)) return { code, message: `${value} has ${name}; write ${meant}` };
  }
  if (ascii !== text && form.test(ascii))
    return { code: 'arabic_digits', message: `${value} has Arabic digits; write ${ascii}` };
  return { code: 'invalid_cell', message: `${value} must be ${otherwise}` };
}

const readable = (value: CellValue): { readonly value: CellValue } => ({ value });
const unreadable = (problem: Problem): { readonly problem: Problem } => ({ problem });

const textUnless = (pattern: RegExp) => (text: string) =>
  pattern.test(text) ? unreadable(changedBySpreadsheet(shortened(text))) : readable(text);

const numberOf = (form: RegExp, otherwise: string) => (text: string) =>
  form.test(text)
    ? // A number holds these exactly.
      readable(Number(text))
    : unreadable(numberProblem(text, form, otherwise));

type Read = ReturnType<typeof readable> | ReturnType<typeof unreadable>;
const readers: Readonly<Record<CellKind, (text: string) => Read>> = {
  text: readable,
  id: textUnless(spreadsheetNumber),
  barcode: textUnless(exponentNumber),
  money: numberOf(amount, 'an amount such as 1250.50'),
  integer: numberOf(wholeNumber, 'a whole number'),
  boolean: (text) =>
    /^(?:true|false)$/i.test(text)
      ? readable(text.toLowerCase() === 'true')
      : unreadable({
          code: 'invalid_cell',
          message: `${shortened(text)} must be true or false`,
        }),
};

/** Reads a cell that is not blank: its value, or why it has none. */
export const readCell = (kind: CellKind, text: string): Read => readers[kind](text);

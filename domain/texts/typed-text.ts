import { withAsciiDigits } from './digits.ts';
import { withoutInvisible } from './invisible.ts';

/** Blanks of any width. The Hangul fillers and the Braille pattern without dots look like one. */
const blanks = /[\s\u115f\u1160\u2800\u3164]+/gu;

/** Control characters that are no blanks. */
// oxlint-disable-next-line no-control-regex -- they are what a name must not differ by
const controls = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g;

/** Signs that word processors write for those of a keyboard. */
const typographic: readonly (readonly [RegExp, string])[] = [
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/[\u2018\u2019\u02bc]/g, "'"],
  [/[\u201c\u201d]/g, '"'],
];

/**
 * A text with its own hyphens and quotes: NFKC, ASCII digits, one blank for a run of them, none at
 * the ends, and no invisible character.
 */
const visibleForm = (text: string): string =>
  withAsciiDigits(withoutInvisible(text).replaceAll(controls, '').normalize('NFKC'))
    .replaceAll(blanks, ' ')
    .trim();

/**
 * A text in the form in which a person types it: {@link visibleForm} with ASCII hyphens and quotes.
 * Two texts that look the same have the same form.
 */
export const typedForm = (text: string): string =>
  typographic.reduce((typed, [signs, sign]) => typed.replaceAll(signs, sign), visibleForm(text));

/** Whether a text has blanks and invisible characters only. */
export const isBlank = (text: string): boolean =>
  withoutInvisible(text).normalize('NFKC').replaceAll(blanks, '') === '';

/** The zeros of the digits of Arabic, and of Persian and Urdu. */
const arabicZeros = [0x660, 0x6f0];

/** The forms in which a code that a person types or pastes may be stored: as it was sent. */
export const spellingsOf = (code: string): readonly string[] => {
  const typed = typedForm(code);
  const inArabic = arabicZeros.map((zero) =>
    typed.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit))),
  );
  return [...new Set([code, visibleForm(code), typed, ...inArabic])];
};

/**
 * The form of a name by which it is found and must be unique: letter case makes no difference, nor
 * a dot above an i, which has one, such as that of the Turkish capital letter.
 */
export const nameForm = (name: string): string =>
  typedForm(typedForm(name).toLowerCase().replaceAll('ς', 'σ')).replaceAll(/(?<=[ij])\u0307/g, '');

/** Whether a person typed a text that must be repeated. Letter case makes a difference. */
export const isTyped = (typed: string, shown: string): boolean =>
  typedForm(typed) === typedForm(shown);

/**
 * A code or number that a person types or a vendor sends, with ASCII digits, signs and a decimal
 * point. Invisible characters, no-break spaces, Arabic separators of thousands and blanks at the
 * ends are left out.
 */
export const plainNumber = (text: string): string =>
  withAsciiDigits(withoutInvisible(text).replaceAll(/[\u00a0\u066c\u2007\u202f]/g, ''))
    .replaceAll(/[\u066b\uff0e]/g, '.')
    .replaceAll(/[\u2212\uff0d]/g, '-')
    .trim();

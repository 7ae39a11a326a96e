import { plainNumber } from '../texts/typed-text.ts';

/** A blank at an end that {@link plainNumber} would leave out only there. */
const blankAtEnd = /^[^\S\u00a0\u2007\u202f\ufeff]|[^\S\u00a0\u2007\u202f\ufeff]$/;

/**
 * The GTIN-8, -12, -13 or -14 that a text is, in ASCII digits; null for another text, for a wrong
 * check digit, and for zeros alone.
 */
export function gtinOf(text: string): string | null {
  const gtin = plainNumber(text);
  return isGtin(gtin) && !blankAtEnd.test(text) ? gtin : null;
}

/** The GTIN that a person types as it is printed, with blanks between groups of digits. */
export const printedGtin = (text: string): string | null => gtinOf(text.replaceAll(/\s/g, ''));

/** Whether a text is a GTIN without any change. */
export function isGtin(value: string): boolean {
  if (!/^(\d{8}|\d{12,14})$/.test(value) || /^0+$/.test(value)) return false;
  const digits = Array.from(value, Number).toReversed();
  const [check = 0, ...rest] = digits;
  // From the right, the digits before the check digit weigh 3, 1, 3, 1, …
  const sum = rest.reduce((total, digit, index) => total + digit * (index % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10 === check;
}

const gtin14 = (barcode: string | null): string | null => barcode?.padStart(14, '0') ?? null;

/** Whether two barcodes are the same GTIN-14: leading zeros make no difference. */
export const isSameGtin = (one: string | null, other: string | null): boolean =>
  gtin14(one) === gtin14(other);

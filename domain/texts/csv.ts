/** A cell of RFC 4180; null is an empty one, and an object is JSON. */
export function csvCell(value: unknown): string {
  const text =
    typeof value === 'object' && value !== null
      ? JSON.stringify(value)
      : String((value as string | number | null | undefined) ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * A cell for a spreadsheet, which takes no text for a formula: one that begins as a formula begins
 * with an apostrophe.
 */
export const spreadsheetCell = (value: unknown): string =>
  csvCell(typeof value === 'string' && /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value);

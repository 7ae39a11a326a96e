/**
 * Joins the paragraphs of a details box of the Temporal UI. The box is one line too low, so the
 * last paragraph is a no-break space. The UI sends the text in a URL, so keep it below some 4,000
 * bytes.
 */
export const detailsText = (paragraphs: readonly string[]): string =>
  [...paragraphs, '\u00a0'].join('\n\n');

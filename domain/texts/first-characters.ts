/** The first `max` characters (code points) of a text, which may be as long as a body. */
export const firstCharacters = (text: string, max: number): string =>
  // A character has at most two units, and a cut between them would leave half of one.
  Array.from(text.slice(0, 2 * max))
    .slice(0, max)
    .join('');

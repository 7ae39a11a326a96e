/** Whether a range of a header matches what is offered; the most specific kind of match first. */
type Matches = (range: string, offered: string) => boolean;

const languageMatches: readonly Matches[] = [
  (range, language) => range === language,
  // Of a region, such as ar-SA.
  (range, language) => range.startsWith(`${language}-`),
  (range) => range === '*',
];
const typeMatches: readonly Matches[] = [
  (range, type) => range === type,
  (range, type) => range === `${type.split('/', 1)[0] ?? ''}/*`,
  (range) => range === '*/*' || range === '*',
];

/** The ranges of a header such as Accept, in lower case, with their weights (RFC 9110, 12.4.2). */
const rangesOf = (header: string) =>
  header.split(',').flatMap((element, at) => {
    const [range = '', ...parameters] = element.split(';').map((part) => part.trim().toLowerCase());
    const given = parameters.find((each) => each.startsWith('q='))?.slice(2) ?? '1';
    const weight = /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/.test(given) ? Number(given) : 0;
    return range === '' ? [] : [{ range, weight, at }];
  });

/**
 * What a caller prefers of what is offered: what the header gives the greatest weight, and of
 * several the one that it names first. Null if the header takes nothing of it.
 */
const preferred =
  (matches: readonly Matches[]) =>
  <T extends string>(header: string, offered: readonly T[]): T | null => {
    const ranges = rangesOf(header);
    const weighed = offered.flatMap((each) => {
      const found = matches.map((match) => ranges.filter(({ range }) => match(range, each)));
      const [best] = (found.find(({ length }) => length > 0) ?? []).toSorted(
        (one, other) => other.weight - one.weight,
      );
      return best === undefined || best.weight === 0 ? [] : [{ ...best, each }];
    });
    const [first] = weighed.toSorted((a, b) => b.weight - a.weight || a.at - b.at);
    return first?.each ?? null;
  };

/** The language that an Accept-Language header prefers. */
export const preferredLanguage = preferred(languageMatches);

/** The media type that an Accept header prefers. */
export const preferredType = preferred(typeMatches);

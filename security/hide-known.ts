/** What is shown instead of a secret. */
export const hidden = '[redacted]';
/** A shorter value occurs by chance, and no secret is so short. */
const knownMin = 4;
/** How often a text is undone: JSON in JSON in a URL is three levels. */
const levelsMax = 4;

/**
 * One escape of JSON, PHP, .NET or JavaScript (`\/`, `\u002f`, `\x2f`), of a URL (`%2f`, `%u002f`)
 * or of HTML (`&#47;`, `&#x2f;`, `&quot;`).
 */
const escape =
  /[\\%]u([\da-f]{4})|(?:\\x|%)([\da-f]{2})|\\([^ux])|&#(\d{1,7});?|&#x([\da-f]{1,6});?|&(quot|amp|lt|gt|apos|sol|plus|equals|comma);?/gi;
/** The beginning of an escape, at the end of a text that was cut. */
const cutEscape =
  /(?:\\(?:u[\da-f]{0,3}|x[\da-f]?)?|%(?:u[\da-f]{0,3}|[\da-f])?|&#?[\da-z]{0,7})$/i;

/** What follows a backslash, or the name of an entity, by what it means. */
const named: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  quot: '"',
  amp: '&',
  lt: '<',
  gt: '>',
  apos: "'",
  sol: '/',
  plus: '+',
  equals: '=',
  comma: ',',
};

function characterOf([whole, four, two, plain, decimal, hex, entity]: RegExpExecArray): string {
  if (plain !== undefined) return named[plain] ?? plain;
  if (entity !== undefined) return named[entity.toLowerCase()] ?? whole;
  const digits = four ?? two ?? hex ?? '';
  const code = decimal === undefined ? Number.parseInt(digits, 16) : Number(decimal);
  return code <= 0xffff ? String.fromCharCode(code) : ' ';
}

/** Where a character, or a value, stands in the text that is shown. */
type Span = { readonly start: number; readonly end: number };
/** A text that may have been escaped or encoded, with the span of each of its characters. */
type Level = { readonly text: string; readonly spans: readonly Span[] };

/** Undoes one level of escapes. */
function undo({ text, spans }: Level): Level {
  let undone = '';
  const kept: Span[] = [];
  let end = 0;
  for (const match of text.matchAll(escape)) {
    undone += text.slice(end, match.index) + characterOf(match);
    kept.push(...spans.slice(end, match.index));
    end = match.index + match[0].length;
    kept.push(spanOf(spans, match.index, end));
  }
  return { text: undone + text.slice(end), spans: [...kept, ...spans.slice(end)] };
}

/** The span of the characters from `begin` to before `end`. */
const spanOf = (spans: readonly Span[], begin: number, end: number): Span => ({
  start: spans[begin]?.start ?? 0,
  end: spans[end - 1]?.end ?? 0,
});

/** A text as it is, and with one level of escapes undone after the other. */
function levelsOf(text: string): readonly Level[] {
  const spans = Array.from({ length: text.length }, (_none, at) => ({ start: at, end: at + 1 }));
  const levels: Level[] = [];
  let next: Level = { text, spans };
  do {
    levels.push(next);
    next = undo(next);
  } while (next.text !== levels.at(-1)?.text && levels.length <= levelsMax);
  return levels;
}

/** Digits of base64 and of its form for URLs; lines of it may be broken anywhere. */
const base64Text = /[A-Za-z\d+/_-](?:[A-Za-z\d+/_-]|\s)*/g;
/** Base64 of a shorter text holds no known value. */
const base64Min = Math.ceil((knownMin * 4) / 3);

/**
 * The bytes of what may be base64, as characters. Each base64 text is read from each of its first
 * four digits, because the value may begin at any offset of what was encoded.
 */
const decoded = ({ text, spans }: Level): readonly Level[] =>
  [...text.matchAll(base64Text)].flatMap(({ 0: whole, index }) => {
    const ofDigits = spans
      .slice(index, index + whole.length)
      .filter((_span, at) => !/\s/.test(whole[at] ?? ''));
    if (ofDigits.length < base64Min) return [];
    const digits = whole.replaceAll(/\s/g, '');
    const { end: last } = spanOf(spans, index, index + whole.length);
    return [0, 1, 2, 3].map((offset) => {
      const bytes = Buffer.from(digits.slice(offset), 'base64').toString('latin1');
      // A byte begins in one digit and ends in another, which are hidden whole, and with the blanks
      // that follow.
      const ofBytes = Array.from(bytes, (_byte, at) => ({
        start: ofDigits[offset + Math.floor((at * 4) / 3)]?.start ?? last,
        end:
          at + 1 === bytes.length
            ? last
            : (ofDigits[offset + Math.ceil(((at + 1) * 4) / 3)]?.start ?? last),
      }));
      return { text: bytes, spans: ofBytes };
    });
  });

/** What a value may be once the escapes around it are undone, which may undo some of its own. */
const formsOf = (value: string): readonly string[] =>
  levelsOf(value)
    .flatMap(({ text }) => [text, text.replaceAll(' ', '+')])
    .filter((form) => form.length >= knownMin);

/** Where a value stands in a text; overlapping occurrences too. */
function* occurrences({ text, spans }: Level, value: string): Generator<Span> {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1))
    yield spanOf(spans, at, at + value.length);
}

/** The end of a cut text with which a value begins. */
function* cutOccurrence({ text, spans }: Level, value: string): Generator<Span> {
  const whole = text.replace(cutEscape, '');
  for (let length = Math.min(value.length - 1, whole.length); length > 0; length -= 1)
    if (whole.endsWith(value.slice(0, length))) {
      yield spanOf(spans, whole.length - length, text.length);
      return;
    }
}

/**
 * Replaces the known values in a text, as they are, as escapes write them, in up to four levels,
 * and in base64. Where one value begins or ends another, all of both is replaced. The text may end
 * within a value if it `isCut`.
 */
export function hideKnown(text: string, known: readonly string[], isCut: boolean): string {
  const values = [...new Set(known.flatMap(formsOf))];
  const bytesOf = values.map((value) => Buffer.from(value, 'utf8').toString('latin1'));
  const find = (level: Level, wanted: readonly string[]): readonly Span[] => {
    const isLast = isCut && level.spans.at(-1)?.end === text.length;
    return wanted.flatMap((value) => [
      ...occurrences(level, value),
      ...(isLast ? cutOccurrence(level, value) : []),
    ]);
  };
  const levels = levelsOf(text);
  const found = [
    ...levels.flatMap((level) => find(level, values)),
    ...levels.flatMap(decoded).flatMap((level) => find(level, bytesOf)),
  ];
  let shown = '';
  let shownTo = 0;
  for (const { start, end } of found.toSorted((one, other) => one.start - other.start)) {
    if (start >= shownTo) shown += text.slice(shownTo, start) + hidden;
    shownTo = Math.max(shownTo, end);
  }
  return shown + text.slice(shownTo);
}

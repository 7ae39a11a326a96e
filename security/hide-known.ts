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

/** A text, and for each of its characters, and for its end, the index in the text that it is of. */
type Undone = {
  readonly text: string;
  readonly starts: readonly number[];
  /** Where what precedes each character ends; absent: where the character starts. */
  readonly ends?: readonly number[];
};

/** Undoes one level of escapes. */
function undo({ text, starts }: Undone): Undone {
  let undone = '';
  const from: number[] = [];
  const keep = (start: number, end: number): void => {
    undone += text.slice(start, end);
    for (let index = start; index < end; index += 1) from.push(starts[index] ?? 0);
  };
  let end = 0;
  for (const match of text.matchAll(escape)) {
    keep(end, match.index);
    undone += characterOf(match);
    from.push(starts[match.index] ?? 0);
    end = match.index + match[0].length;
  }
  keep(end, text.length);
  from.push(starts[text.length] ?? 0);
  return { text: undone, starts: from };
}

const asIs = (text: string): Undone => ({
  text,
  starts: Array.from({ length: text.length + 1 }, (_none, index) => index),
});

/** A text as it is, and with one level of escapes undone after the other. */
function levelsOf(text: string): readonly Undone[] {
  const levels = [asIs(text)];
  for (let level = asIs(text); levels.length <= levelsMax;) {
    const next = undo(level);
    if (next.text === level.text) break;
    levels.push(next);
    level = next;
  }
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
function decoded({ text, starts }: Undone): readonly Undone[] {
  return [...text.matchAll(base64Text)].flatMap((match) => {
    const at = Array.from(match[0], (digit, index) => (/\s/.test(digit) ? -1 : index)).filter(
      (index) => index >= 0,
    );
    if (at.length < base64Min) return [];
    const digits = match[0].replaceAll(/\s/g, '');
    return [0, 1, 2, 3].map((offset) => {
      const bytes = Buffer.from(digits.slice(offset), 'base64').toString('latin1');
      const last = starts[match.index + match[0].length] ?? 0;
      // A byte begins in one digit and ends in another, which are hidden whole.
      const ofBytes = (round: (digit: number) => number): readonly number[] =>
        Array.from({ length: bytes.length + 1 }, (_none, byte) => {
          const digit = at[offset + round((byte * 4) / 3)];
          const isEnd = byte === bytes.length || digit === undefined;
          return isEnd ? last : (starts[match.index + digit] ?? 0);
        });
      return { text: bytes, starts: ofBytes(Math.floor), ends: ofBytes(Math.ceil) };
    });
  });
}

/** What a value may be once the escapes around it are undone, which may undo some of its own. */
const formsOf = (value: string): readonly string[] =>
  levelsOf(value)
    .flatMap(({ text }) => [text, text.replaceAll(' ', '+')])
    .filter((form) => form.length >= knownMin);

type Span = readonly [start: number, end: number];

/** Where a value stands in a text; overlapping occurrences too. */
function* occurrences({ text, starts, ends = starts }: Undone, value: string): Generator<Span> {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1))
    yield [starts[at] ?? 0, ends[at + value.length] ?? 0];
}

/** The end of a cut text with which a value begins. */
function* cutOccurrence({ text, starts }: Undone, value: string): Generator<Span> {
  const whole = text.replace(cutEscape, '');
  for (let length = Math.min(value.length - 1, whole.length); length > 0; length -= 1)
    if (whole.endsWith(value.slice(0, length))) {
      yield [starts[whole.length - length] ?? 0, starts[text.length] ?? 0];
      return;
    }
}

/**
 * Replaces the known values in a text, as they are, as escapes write them, in up to four levels,
 * and in base64. Where one value begins or ends another, all of both is replaced. The text may end
 * within a value if it `isCut`.
 */
export function hideKnown(
  text: string,
  known: readonly string[],
  { hidden, isCut }: { readonly hidden: string; readonly isCut: boolean },
): string {
  const values = [...new Set(known.flatMap(formsOf))];
  const levels = levelsOf(text);
  const found = levels.flatMap((level) =>
    values.flatMap((value) => [
      ...occurrences(level, value),
      ...(isCut ? cutOccurrence(level, value) : []),
    ]),
  );
  const bytesOf = values.map((value) => Buffer.from(value, 'utf8').toString('latin1'));
  const encoded = levels.flatMap(decoded).flatMap((level) => {
    const isLast = isCut && level.starts.at(-1) === text.length;
    return bytesOf.flatMap((bytes) => [
      ...occurrences(level, bytes),
      ...(isLast ? cutOccurrence(level, bytes) : []),
    ]);
  });
  const spans = [...found, ...encoded];
  let shown = '';
  let end = 0;
  for (const [start, stop] of spans.toSorted(([one], [other]) => one - other)) {
    if (start >= end) shown += text.slice(end, start) + hidden;
    end = Math.max(end, stop);
  }
  return shown + text.slice(end);
}

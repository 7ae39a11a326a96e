/** The length of each piece but the last, in characters: less than a millisecond of work. */
export const pieceLengthMin = 16_384;

/** What is still to be written: a text as it is, or a value. */
type Part = { readonly text: string } | { readonly value: unknown };

/**
 * The canonical JSON text of a value, in pieces of about 16,384 characters. The keys of objects are
 * sorted. Keys whose value is null or undefined are left out, because both mean the same: a field
 * that a later version adds does not change the text of a body without it. Different values have
 * different texts. A value may be nested to any depth.
 */
export function* canonicalJson(value: unknown): Generator<string> {
  // A body may be nested deeper than the call stack allows.
  const parts: Part[] = [{ value }];
  let piece = '';
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if ('text' in part) piece += part.text;
    else if (typeof part.value !== 'object' || part.value === null)
      piece += JSON.stringify(part.value) ?? 'null';
    else for (const inner of partsOf(part.value).toReversed()) parts.push(inner);
    if (piece.length < pieceLengthMin) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

function partsOf(value: object): readonly Part[] {
  if (Array.isArray(value))
    return [
      { text: '[' },
      ...value.flatMap((item: unknown, index): Part[] =>
        index === 0 ? [{ value: item }] : [{ text: ',' }, { value: item }],
      ),
      { text: ']' },
    ];
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== null && inner !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [
    { text: '{' },
    ...entries.flatMap(([name, inner], index): Part[] => [
      { text: `${index === 0 ? '' : ','}${JSON.stringify(name)}:` },
      { value: inner },
    ]),
    { text: '}' },
  ];
}

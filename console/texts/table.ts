type Pair = readonly [english: string, arabic: string];

/** A text in both languages, a text with values in it, or texts by their names. */
export type Table = Pair | ((...values: never[]) => Pair) | { readonly [name: string]: Table };

export type Of<T> = T extends Pair
  ? string
  : T extends (...values: infer V) => Pair
    ? (...values: V) => string
    : { readonly [Name in keyof T]: Of<T[Name]> };

/** The texts of a table in the language that stands at `at` in each pair. */
export function textsAt<T extends Table>(table: T, at: 0 | 1): Of<T> {
  const textOf = (each: Table): unknown => {
    if (Array.isArray(each)) return (each as Pair)[at];
    if (typeof each === 'function') return (...values: never[]) => each(...values)[at];
    return Object.fromEntries(Object.entries(each).map(([name, text]) => [name, textOf(text)]));
  };
  return textOf(table) as Of<T>;
}

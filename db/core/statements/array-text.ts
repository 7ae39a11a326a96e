/**
 * Values of a statement's parameter as the text of a Postgres array. The library takes a list of
 * booleans for one boolean, and writes each element by a function of its type. Ids, numbers and
 * booleans need no quotes.
 */
export const arrayText = (values: readonly (string | number | boolean | null)[]): string =>
  `{${values.map((value) => value ?? 'null').join(',')}}`;

/** Values as SQL literals: Postgres uses a partial index only for the literals of its condition. */
export const textList = (values: readonly string[]): string =>
  values.map((value) => `'${value}'`).join(', ');

import type { Fragment, PendingQuery, Row } from 'postgres';
import type { Queryable } from '../client.ts';

/** A fragment of a statement with its values, in the form of a tagged template. */
class Part {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }
}

/**
 * Makes fragments for {@link statementOf}, as a pool does. A fragment of the library is a promise
 * with closures, and building thirty of them takes longer than reading the result.
 */
export const parts = Object.assign(
  (strings: readonly string[], ...values: readonly unknown[]) => new Part(strings, values),
  { unsafe: (text: string) => new Part([text], []) },
) as unknown as Queryable;

/** A prepared statement from a fragment of {@link parts}. */
export function statementOf(sql: Queryable, fragment: Fragment): PendingQuery<Row[]> {
  const parameters: unknown[] = [];
  const text = textOf(fragment as unknown as Part, parameters);
  // Without `simple`, the library prepares no statement that has no parameters.
  const options = { prepare: true, simple: false };
  return sql.unsafe(text, parameters as Parameters<Queryable['unsafe']>[1], options);
}

/** The text of a fragment, whose values it adds to the parameters. */
function textOf({ strings, values }: Part, parameters: unknown[]): string {
  let text = strings[0] ?? '';
  for (const [index, value] of values.entries()) {
    // The library would send its own fragment as text.
    if (value instanceof Promise) throw new Error('parts have a fragment of a pool');
    text += value instanceof Part ? textOf(value, parameters) : `$${parameters.push(value)}`;
    text += strings[index + 1] ?? '';
  }
  return text;
}

import type { PendingQuery } from 'postgres';

/** The first row of a result; null when there is none. */
export const firstOf = async <TRow>(rows: PromiseLike<readonly TRow[]>): Promise<TRow | null> =>
  (await rows)[0] ?? null;

/** Whether a statement returned a row. */
export const hasRows = async (rows: PromiseLike<readonly unknown[]>): Promise<boolean> =>
  (await rows).length > 0;

type Values = readonly unknown[];
type Column = { readonly name: string };

/** The values of a statement's rows, and its columns. */
export type Answer = readonly Values[] & { readonly columns: readonly Column[] };

/** Runs a statement; each row is the list of its values. */
export const answerOf = async (statement: {
  readonly values: () => PromiseLike<unknown>;
}): Promise<Answer> => (await statement.values()) as Answer;

type Reader = (values: Values) => object;

/**
 * Compiles functions that make the objects of an answer's rows, without the columns of these names.
 * With many columns this takes a fraction of the time: the library sets each property of a row by
 * name, an object literal sets all at once
 * ([0019](../../docs/decisions/0019-how-pages-are-read.md)).
 */
export function readersWithout(...without: readonly string[]): (answer: Answer) => Reader {
  /** By the list of columns, which the library keeps for each prepared statement of a connection. */
  const readers = new WeakMap<readonly Column[], Reader>();
  return ({ columns }) => {
    const known = readers.get(columns);
    if (known !== undefined) return known;
    const entries = columns.flatMap(({ name }, index) =>
      without.includes(name) ? [] : [`${JSON.stringify(name)}: values[${index}]`],
    );
    // oxlint-disable-next-line typescript/no-implied-eval -- the names are those of columns
    const reader = new Function('values', `return {${entries.join(', ')}};`) as Reader;
    readers.set(columns, reader);
    return reader;
  };
}

const readerOf = readersWithout();

/** The rows of a statement, as `await` has them. */
export async function rowsOf<TRow extends object>(
  statement: PendingQuery<TRow[]>,
): Promise<readonly TRow[]> {
  const answer = await answerOf(statement);
  return answer.length === 0 ? [] : (answer.map(readerOf(answer)) as TRow[]);
}

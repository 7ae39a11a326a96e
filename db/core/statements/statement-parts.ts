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

/** One list of strings for each plain text, so that a text of a statement is known again. */
const plainTexts = new Map<string, readonly string[]>();

function plainText(text: string): readonly string[] {
  const known = plainTexts.get(text);
  if (known !== undefined) return known;
  const strings = [text];
  plainTexts.set(text, strings);
  return strings;
}

/**
 * Makes fragments for {@link statementOf}, as a pool does. A fragment of the library is a promise
 * with closures, and building thirty of them takes longer than reading the answer.
 */
export const parts = Object.assign(
  (strings: readonly string[], ...values: readonly unknown[]) => new Part(strings, values),
  { unsafe: (text: string) => new Part(plainText(text), []) },
) as unknown as Queryable;

/**
 * The texts of statements by their fragments: each step is the strings of a fragment, which are one
 * object for each position in the program, or a value. Joining a text of 2 KB and hashing it for
 * the library takes longer than the steps.
 */
class Texts {
  text: string | null = null;
  #afterValue: Texts | null = null;
  readonly #afterStrings = new Map<readonly string[], Texts>();

  afterValue(): Texts {
    return (this.#afterValue ??= new Texts());
  }
  afterStrings(strings: readonly string[]): Texts {
    const known = this.#afterStrings.get(strings);
    if (known !== undefined) return known;
    const texts = new Texts();
    this.#afterStrings.set(strings, texts);
    return texts;
  }
}
const allTexts = new Texts();

/** A prepared statement from a fragment of {@link parts}. */
export function statementOf(sql: Queryable, fragment: Fragment): PendingQuery<Row[]> {
  const parameters: unknown[] = [];
  const part = fragment as unknown as Part;
  const known = collect(part, parameters, allTexts);
  const text = (known.text ??= textOf(part, { parameters: 0 }));
  // Without `simple`, the library prepares no statement that has no parameters.
  const options = { prepare: true, simple: false };
  return sql.unsafe(text, parameters as Parameters<Queryable['unsafe']>[1], options);
}

/** Adds the values of a fragment to the parameters, and returns its position among the texts. */
function collect({ strings, values }: Part, parameters: unknown[], before: Texts): Texts {
  let texts = before.afterStrings(strings);
  for (const value of values) {
    // The library would send its own fragment as text.
    if (value instanceof Promise) throw new Error('a fragment of a pool is among those of parts');
    if (value instanceof Part) texts = collect(value, parameters, texts);
    else {
      parameters.push(value);
      texts = texts.afterValue();
    }
  }
  return texts;
}

function textOf({ strings, values }: Part, count: { parameters: number }): string {
  let text = strings[0] ?? '';
  for (const [index, value] of values.entries()) {
    text += value instanceof Part ? textOf(value, count) : `$${(count.parameters += 1)}`;
    text += strings[index + 1] ?? '';
  }
  return text;
}

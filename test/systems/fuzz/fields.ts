import * as fc from 'fast-check';
import { child } from '../../api/support/openapi-document.ts';
import { anyText, heavy, invalidBody, list, pick, repeated, type Fault } from './fault.ts';

/** Bodies that are JSON objects and have a field that their JSON Schema excludes. */

/** A JSON Schema of the OpenAPI documents. */
export type Schema = Readonly<Record<string, unknown>>;

export const listIn = (schema: Schema, name: string): readonly unknown[] =>
  Array.isArray(schema[name]) ? schema[name] : [];
export const numberIn = (schema: Schema, name: string, fallback: number): number =>
  typeof schema[name] === 'number' ? schema[name] : fallback;

const typesOf = (schema: Schema): readonly unknown[] =>
  [...listIn(schema, 'type'), schema['type']].map((name) => (name === 'integer' ? 'number' : name));
const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value));
const objectLike = list(`{"__proto__":null,"toString":1,"valueOf":{}}¦{"length":1,"0":"x"}`);
const typeLike = list(`"true"¦"1"¦null¦[[],{}]¦17.5¦true`);
const wrongType = (schema: Schema): fc.Arbitrary<string> =>
  fc
    .oneof(json, pick([...objectLike, ...typeLike]))
    .filter((text) => !typesOf(schema).includes(typeOf(JSON.parse(text))));

const numbers =
  list(`1e400¦-1e400¦1e308¦9007199254740993¦-9007199254740993¦-1¦-17.5¦-0.0000001¦1e-7¦
0.1234567¦100000000000000000000000000000.5¦${'1'.repeat(400)}`);
const zeros = list(`0¦-0¦0e9¦1e-400¦-1e-400`);
function wrongNumber(schema: Schema): fc.Arbitrary<string> {
  const [minimum, maximum] = [numberIn(schema, 'minimum', 0), numberIn(schema, 'maximum', 1e9)];
  const isPositive = minimum > 0 || schema['exclusiveMinimum'] === 0;
  const finite = { noNaN: true, noDefaultInfinity: true };
  const beyond = fc
    .oneof(fc.double({ ...finite, min: maximum }), fc.double({ ...finite, max: minimum }))
    .filter((value) => value > maximum || value < minimum);
  const next = pick([maximum + 1, minimum - 1]);
  return fc.oneof(
    pick([...numbers, ...(isPositive ? zeros : [])]),
    fc.oneof(next, beyond).map(String),
  );
}

const noText = list(String.raw`"a\u0000b"¦"\ud800"¦"\udc00\ud800"¦"x\uDBFFx"¦"\u0000"`);
function wrongText(schema: Schema): fc.Arbitrary<string> {
  const options = listIn(schema, 'enum');
  const excess = numberIn(schema, 'maxLength', 3000) + 1;
  const long = pick(['x', '🜁', 'é']).chain((one) => repeated(one, excess, excess + 100));
  const texts = options.length === 0 ? long : fc.oneof(long, notAmong(options));
  return fc.oneof(
    pick(noText),
    texts.map((text) => JSON.stringify(text)),
  );
}

/** Texts that an enumeration does not have. */
export const notAmong = (options: readonly unknown[]): fc.Arbitrary<string> =>
  fc
    .oneof(pick([`${String(options[0])} `, 'constructor', '__proto__']), anyText)
    .filter((text) => !options.includes(text));

/** Neither ids nor instants. */
const wrongFormat = fc.oneof(
  pick(
    list(`0¦00000000-0000-0000-0000-00000000000g¦{01890000-0000-7000-8000-000000000000}¦2026-02-30¦
2026-13-01T00:00:00Z¦2026-01-01T00:00:00¦+275760-09-13T00:00:00Z¦٢٠٢٦`),
  ),
  anyText,
);

const deep = fc
  .tuple(fc.constantFrom(100, 1000, 10_000, 100_000), fc.boolean())
  .map(([depth, isList]) =>
    isList
      ? '['.repeat(depth) + ']'.repeat(depth)
      : `${'{"a":'.repeat(depth)}0${'}'.repeat(depth)}`,
  );
const longList = pick(['0', '""', '{}', '[]', 'null']).map(
  (item) => `[${`${item},`.repeat(99_999)}${item}]`,
);
const nearlyMebibyte = repeated('x', 1_000_000, 1_048_000).map((text) => `"${text}"`);
const oddNames = list(`__proto__¦constructor¦toString¦hasOwnProperty¦prototype¦x¦¦0¦a/b~c`);

type Path = readonly (string | number)[];
type Field = { readonly path: Path; readonly name: string; readonly schema: Schema };

/** The objects of a body, itself first, each with its path. */
function objectsIn(
  value: unknown,
  schema: Schema,
  path: Path = [],
): readonly Omit<Field, 'name'>[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) =>
      objectsIn(item, child(schema, 'items'), [...path, index]),
    );
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, its]) =>
    objectsIn(its, child(schema, 'properties', name), [...path, name]),
  );
  return [{ path, schema }, ...inner];
}

const valueAt = (body: unknown, path: Path): unknown =>
  path.reduce((node: unknown, key) => (node as Record<string | number, unknown>)[key], body);

const marker = '\u0001raw\u0001';
/** A body as text, with any text as the value at a path. Null removes the field. */
function textWith(body: object, path: Path, text: string | null): string {
  const copy = structuredClone(body);
  // A defined property: an assignment to `__proto__` is none.
  Object.defineProperty(valueAt(copy, path.slice(0, -1)), path.at(-1) ?? '', {
    value: text === null ? undefined : marker,
    enumerable: true,
  });
  return JSON.stringify(copy).replace(JSON.stringify(marker), () => text ?? '');
}

export function fieldFaults(sample: object, bodySchema: Schema): readonly Fault[] {
  const objects = objectsIn(sample, bodySchema);
  const fields = objects.flatMap(({ path, schema }) =>
    Object.keys(child(schema, 'properties')).map((name) => ({
      path: [...path, name],
      name,
      schema: child(schema, 'properties', name),
      isRequired: listIn(schema, 'required').includes(name),
    })),
  );
  const typed = fields.filter(({ schema }) => 'type' in schema);
  const ofType = (type: string) => fields.filter(({ schema }) => typesOf(schema).includes(type));
  const inOne = (
    kind: string,
    some: readonly Field[],
    wrong: (field: Field) => fc.Arbitrary<string | null>,
    weight?: number,
  ): readonly Fault[] => {
    if (some.length === 0) return [];
    const body = pick(some).chain((field) =>
      wrong(field).map((text) => textWith(sample, field.path, text)),
    );
    return [invalidBody(`field: ${kind}`, body, weight)];
  };
  const twice = ({ path, name, schema }: Field) => {
    const first = JSON.stringify(valueAt(sample, path));
    return wrongType(schema).map((last) => `${first},${JSON.stringify(name)}:${last}`);
  };
  const known = new Set(fields.map(({ name }) => name));
  const odd = fc.oneof(pick(oddNames), fc.string()).filter((name) => !known.has(name));
  const unknown = (kind: string, value: fc.Arbitrary<string>, weight?: number): Fault => {
    const body = fc
      .tuple(pick(objects), odd, value)
      .map(([{ path }, name, text]) => textWith(sample, [...path, name], text));
    return invalidBody(`field: unknown${kind}`, body, weight);
  };
  const required = typed.filter(({ isRequired }) => isRequired);
  const noLists = typed.filter((field) => !ofType('array').includes(field));
  const formatted = fields.filter(({ schema }) => 'format' in schema);
  return [
    ...inOne('wrong type', typed, ({ schema }) => wrongType(schema)),
    ...inOne('wrong number', ofType('number'), ({ schema }) => wrongNumber(schema)),
    ...inOne('wrong text', ofType('string'), ({ schema }) => wrongText(schema)),
    ...inOne('wrong format', formatted, () => wrongFormat.map((text) => JSON.stringify(text))),
    ...inOne('missing', required, () => fc.constant(null)),
    ...inOne('twice, the last wrong', required, twice),
    ...inOne('100 to 100,000 levels', noLists, () => deep, heavy),
    ...inOne('a list of 100,000', fields, () => longList, heavy),
    unknown('', json),
    unknown(', 100 to 100,000 levels', deep, heavy),
    unknown(', nearly 1 MiB', nearlyMebibyte, heavy),
  ];
}

import { isNode, type SchemaNode } from './examples.ts';

const typeOf = (values: readonly unknown[]): string =>
  values.every((value) => Number.isInteger(value)) ? 'integer' : 'string';

/**
 * Marks the enumerations of a response with `x-extensible-enum`, because later versions may add
 * values. Generators then make a plain string, which accepts such a value in every language. Of
 * `anyOf: [enum, string]`, oapi-codegen makes a union of raw JSON.
 */
export function openEnumerations(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(openEnumerations);
  if (!isNode(schema)) return schema;
  const inner: SchemaNode = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === 'examples' ? value : openEnumerations(value),
    ]),
  );
  const { enum: values, ...rest } = inner;
  if (!Array.isArray(values)) return inner;
  const known: readonly unknown[] = values.filter((value) => value !== null);
  const type = known.length < values.length ? [typeOf(known), 'null'] : typeOf(known);
  return { ...rest, type, 'x-extensible-enum': known };
}

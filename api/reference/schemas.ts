import type * as v from 'valibot';
import { jsonSchemaOf } from '../validation/json-schema.ts';
import { isNode, type SchemaNode } from './examples.ts';

/** Formats from which generators choose types that hold the value exactly. */
function formatOf({ type, maximum = Infinity }: SchemaNode): string | null {
  const types: readonly unknown[] = [type].flat();
  // Holds every amount of SAR to the halala. Without a format, Go gets 32 bits.
  if (types.includes('number')) return 'double';
  if (!types.includes('integer')) return null;
  return typeof maximum === 'number' && maximum < 2 ** 31 ? 'int32' : 'int64';
}

/** Adds formats to the numbers of a schema. */
function withFormats(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withFormats);
  if (!isNode(schema)) return schema;
  const inner = Object.entries(schema).map(([key, value]) => [key, withFormats(value)]);
  const format = formatOf(schema);
  return { ...Object.fromEntries(inner), ...(format === null ? {} : { format }) };
}

const typeOf = (values: readonly unknown[]): string =>
  values.every((value) => Number.isInteger(value)) ? 'integer' : 'string';

/**
 * Marks the enumerations of a schema with `x-extensible-enum`, because later versions may add
 * values. Generators then make a plain string, which accepts such a value in every language. Of
 * `anyOf: [enum, string]`, oapi-codegen makes a union of raw JSON.
 */
function openEnumerations(schema: unknown): unknown {
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

/** The schema of what a caller sends, which allows nothing else. */
export const receivedSchema = (schema: v.GenericSchema): unknown =>
  withFormats(jsonSchemaOf(schema));

/** The schema of what the gateway sends, which allows fields and values of later versions. */
export const sentSchema = (schema: v.GenericSchema): unknown =>
  withFormats(openEnumerations(jsonSchemaOf(schema)));

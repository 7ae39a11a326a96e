import type * as v from 'valibot';
import { jsonSchemaOf } from '../validation/json-schema.ts';
import { mapNodes, type SchemaNode } from './schema-nodes.ts';

/** Formats from which generators choose types that hold the value exactly. */
function formatOf({ type, maximum = Infinity }: SchemaNode): string | null {
  const types: readonly unknown[] = [type].flat();
  // Holds every amount of SAR to the halala. Without a format, Go gets 32 bits.
  if (types.includes('number')) return 'double';
  if (!types.includes('integer')) return null;
  return typeof maximum === 'number' && maximum < 2 ** 31 ? 'int32' : 'int64';
}

/** Adds formats to the numbers of a schema. */
const withFormats = (schema: unknown): unknown =>
  mapNodes(schema, (node) => {
    const format = formatOf(node);
    return format === null ? node : { ...node, format };
  });

const typeOf = (values: readonly unknown[]): string =>
  values.every((value) => Number.isInteger(value)) ? 'integer' : 'string';

/**
 * Marks the enumerations of a schema with `x-extensible-enum`, because later versions may add
 * values. Generators then make a plain string, which accepts a new value in every language. Of
 * `anyOf: [enum, string]`, oapi-codegen makes a union of raw JSON.
 */
const openEnumerations = (schema: unknown): unknown =>
  mapNodes(schema, (node) => {
    const { enum: values, ...rest } = node;
    if (!Array.isArray(values)) return node;
    const known: readonly unknown[] = values.filter((value) => value !== null);
    const type = known.length < values.length ? [typeOf(known), 'null'] : typeOf(known);
    return { ...rest, type, 'x-extensible-enum': known };
  });

/** The schema of what a caller sends, which allows nothing else. */
export const receivedSchema = (schema: v.GenericSchema): unknown =>
  withFormats(jsonSchemaOf(schema));

/** The schema of what the gateway sends, which allows fields and values of later versions. */
export const sentSchema = (schema: v.GenericSchema): unknown =>
  withFormats(openEnumerations(jsonSchemaOf(schema)));

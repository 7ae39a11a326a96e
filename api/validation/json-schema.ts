import { toJsonSchema, type JsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';

/** Names of JSON types of a simple schema; null when it is none. */
const simpleTypes = (schema: JsonSchema) =>
  typeof schema.type === 'string' ? [schema.type] : null;

/**
 * `anyOf [X, null]` as one schema with two types: what the serialiser compiles to a plain branch instead of a
 * validation, and what reads better in the reference.
 */
function foldNullable(schema: JsonSchema): JsonSchema {
  const [first, second, ...more] = schema.anyOf ?? [];
  if (typeof first !== 'object' || typeof second !== 'object' || more.length > 0) return schema;
  if (second.type !== 'null') return schema;
  const types = simpleTypes(first);
  // What has a name of its own keeps it.
  if (types === null || first.title !== undefined) return schema;
  const { anyOf: _folded, ...rest } = schema;
  return {
    ...rest,
    ...first,
    type: [...types, 'null'],
    ...(first.enum === undefined ? {} : { enum: [...first.enum, null] }),
  };
}

const metadataForm = v.object({
  metadata: v.looseObject({ jsonSchema: v.record(v.string(), v.unknown()) }),
});

/**
 * What a schema says of itself in JSON Schema, where Valibot's own words do not translate: a `v.metadata` action, which has
 * to stand before the schema's first transformation.
 */
function declared(action: unknown, schema: JsonSchema): JsonSchema {
  const parsed = v.safeParse(metadataForm, action);
  if (!parsed.success) return schema;
  // The library copies all metadata as it is.
  const copied = new Set(Object.keys(parsed.output.metadata));
  const rest = Object.fromEntries(Object.entries(schema).filter(([key]) => !copied.has(key)));
  return { ...rest, ...parsed.output.metadata.jsonSchema };
}

/** Valibot's literals and picklists say their values; readers and the serialiser also want their type. */
function withType(schema: JsonSchema): JsonSchema {
  const [example] = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  const type = typeof example;
  if (schema.type !== undefined || (type !== 'string' && type !== 'boolean' && type !== 'number'))
    return schema;
  return { ...schema, type };
}

/** A query's default is text, as all of a query is; the reader of its schema wants the number. */
const withNumericDefault = (schema: JsonSchema): JsonSchema =>
  schema.type === 'integer' && typeof schema.default === 'string'
    ? { ...schema, default: Number(schema.default) }
    : schema;

const noNames: ReadonlyMap<v.GenericSchema, string> = new Map();

/**
 * What a caller may send, or what an answer holds: answers have no transformations, so both are the schema's input. A schema
 * that is in `names` has its name as title.
 */
export function jsonSchemaOf(schema: v.GenericSchema, names = noNames): JsonSchema {
  const { $schema: _dialect, ...result } = toJsonSchema(schema, {
    errorMode: 'ignore',
    typeMode: 'input',
    overrideSchema: ({ jsonSchema, valibotSchema }) => {
      const title = names.get(valibotSchema);
      const named = title === undefined ? jsonSchema : { ...jsonSchema, title };
      return withNumericDefault(withType(foldNullable(named)));
    },
    overrideAction: ({ jsonSchema, valibotAction }) => declared(valibotAction, jsonSchema),
  });
  return result;
}

import { toJsonSchema, type JsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';

/** Names of JSON types of a simple schema; null when it is none. */
const simpleTypes = (schema: JsonSchema) => (typeof schema.type === 'string' ? [schema.type] : null);

/**
 * `anyOf [X, null]` as one schema with two types: what the serialiser compiles to a plain branch instead of a
 * validation, and what reads better in the reference.
 */
function foldNullable(schema: JsonSchema): JsonSchema {
  const [first, second, ...more] = schema.anyOf ?? [];
  if (typeof first !== 'object' || typeof second !== 'object' || more.length > 0) return schema;
  if (second.type !== 'null') return schema;
  const types = simpleTypes(first) ?? (first.enum === undefined ? null : ['string']);
  if (types === null) return schema;
  const { anyOf: _folded, ...rest } = schema;
  return {
    ...rest,
    ...first,
    type: [...types, 'null'],
    ...(first.enum === undefined ? {} : { enum: [...first.enum, null] }),
  };
}

type Actions = { readonly pipe?: readonly { readonly type: string; readonly metadata?: unknown }[] };

/** What a schema says of itself in JSON Schema, where Valibot's own words do not translate (`v.metadata`). */
function declared(schema: Actions): JsonSchema {
  const metadata = schema.pipe?.findLast(({ type }) => type === 'metadata')?.metadata;
  const parsed = v.safeParse(v.object({ jsonSchema: v.record(v.string(), v.unknown()) }), metadata);
  // The metadata is written by us, beside the schema that it describes.
  return parsed.success ? parsed.output.jsonSchema : {};
}

/** `input` is what a caller may send, `output` what an answer holds. */
export function jsonSchemaOf(schema: v.GenericSchema, side: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...result } = toJsonSchema(schema, {
    errorMode: 'ignore',
    // Answers are written as the input of their schema: they have no transformations.
    typeMode: 'input',
    overrideSchema: ({ jsonSchema, valibotSchema }) => {
      const folded = { ...foldNullable(jsonSchema), ...declared(valibotSchema as Actions) };
      if (side === 'output' && folded.enum !== undefined && folded.type === undefined) folded.type = 'string';
      return folded;
    },
  });
  return result;
}

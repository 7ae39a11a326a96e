import { toJsonSchema, type JsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';

/**
 * Turns `anyOf [X, null]` into one schema with two types: the serializer compiles that to a branch
 * instead of a validation, and it reads better in the OpenAPI document.
 */
function foldNullable(schema: JsonSchema, isForSerializer: boolean): JsonSchema {
  const [first, second, ...more] = schema.anyOf ?? [];
  if (typeof first !== 'object' || typeof second !== 'object' || more.length > 0) return schema;
  // A titled schema becomes a reference of its own in the document.
  const isReference = first.title !== undefined && !isForSerializer;
  if (second.type !== 'null' || typeof first.type !== 'string' || isReference) return schema;
  const { anyOf: _folded, ...rest } = schema;
  return {
    ...rest,
    ...first,
    type: [first.type, 'null'],
    ...(first.enum === undefined ? {} : { enum: [...first.enum, null] }),
  };
}

const metadataAction = v.object({
  metadata: v.looseObject({ jsonSchema: v.record(v.string(), v.unknown()) }),
});

/**
 * Applies `v.metadata({ jsonSchema })`, which says in JSON Schema what Valibot's own rules cannot.
 * The action has to come before the first transformation of its pipe.
 */
function applyMetadata(action: unknown, schema: JsonSchema): JsonSchema {
  const parsed = v.safeParse(metadataAction, action);
  if (!parsed.success) return schema;
  // The library copies every key of the metadata into the schema; remove those copies.
  const copied = new Set(Object.keys(parsed.output.metadata));
  const rest = Object.fromEntries(Object.entries(schema).filter(([key]) => !copied.has(key)));
  return { ...rest, ...parsed.output.metadata.jsonSchema };
}

/** Valibot states the value of a literal; readers and the serializer also want its type. */
const withType = (schema: JsonSchema): JsonSchema =>
  schema.type === undefined && ['string', 'boolean', 'number'].includes(typeof schema.const)
    ? { ...schema, type: typeof schema.const as 'string' | 'boolean' | 'number' }
    : schema;

/**
 * Valibot's defaults as readers need them: a query's default is text there, and a body's default
 * null is what handlers receive for an omitted field.
 */
function withDefault({ default: value, ...schema }: JsonSchema): JsonSchema {
  if (value === undefined || value === null) return schema;
  return { ...schema, default: schema.type === 'integer' ? Number(value) : value };
}

/** Adds what {@link described} says of fields: the library ignores it after a transformation. */
function withDescriptions(schema: JsonSchema, { entries }: { entries: v.ObjectEntries }) {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const { description, examples } = v.getMetadata(entries[name] ?? v.unknown());
    if (typeof property === 'boolean' || description === undefined) return [name, property];
    return [name, { ...property, description, ...(examples === undefined ? {} : { examples }) }];
  });
  return { ...schema, properties: Object.fromEntries(properties) } as JsonSchema;
}

const itemsOfLongLists = new WeakSet<object>();

/**
 * Marks the schema of items that are large, or that a response may have by the thousand. The
 * serializer leaves a list of them to `JSON.stringify`, which takes a fraction of the time of
 * compiled code.
 */
export function longListItem<TSchema extends v.GenericSchema>(item: TSchema): TSchema {
  itemsOfLongLists.add(item);
  return item;
}

const isLongList = (schema: object): boolean =>
  'item' in schema && typeof schema.item === 'object' && itemsOfLongLists.has(schema.item ?? {});

const convert = (schema: v.GenericSchema, isForSerializer: boolean): JsonSchema => {
  const { $schema: _dialect, ...result } = toJsonSchema(schema, {
    errorMode: 'ignore',
    typeMode: 'input',
    overrideSchema: ({ jsonSchema, valibotSchema }) => {
      if (isForSerializer && isLongList(valibotSchema)) return {};
      return 'entries' in valibotSchema
        ? withDescriptions(jsonSchema, valibotSchema as { entries: v.ObjectEntries })
        : withDefault(withType(foldNullable(jsonSchema, isForSerializer)));
    },
    overrideAction: ({ jsonSchema, valibotAction }) => applyMetadata(valibotAction, jsonSchema),
  });
  return result;
};

/**
 * The JSON Schema of what a caller sends or what a response holds. A response schema has no
 * transformations, so the schema's input serves for both.
 */
export const jsonSchemaOf = (schema: v.GenericSchema): JsonSchema => convert(schema, false);

/** The JSON Schema that a response is serialized by. */
export const serializerSchemaOf = (schema: v.GenericSchema): JsonSchema => convert(schema, true);

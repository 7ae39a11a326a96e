/** A node of a JSON Schema or of the OpenAPI document. */
export type SchemaNode = { readonly [key: string]: unknown };

export const isNode = (value: unknown): value is SchemaNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A schema without the examples of its parts, for a response that has an example as a whole. */
export function withoutExamples(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutExamples);
  if (!isNode(schema)) return schema;
  const { examples, ...rest } = schema;
  const inner = Object.entries(rest).map(([key, value]) => [key, withoutExamples(value)]);
  // A property may have this name.
  return { ...Object.fromEntries(inner), ...(isNode(examples) ? { examples } : {}) };
}

/** The first example of a response schema, or one composed of the examples of its parts. */
export function exampleOf(schema: unknown): unknown {
  if (!isNode(schema)) return null;
  const { examples, anyOf, properties, items, format } = schema;
  if (Array.isArray(examples)) return examples[0];
  if ('const' in schema) return schema['const'];
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0]);
  if (isNode(items)) return [exampleOf(items)];
  if (isNode(properties))
    return Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, exampleOf(property)]),
    );
  return format === 'date-time' ? '2026-11-21T09:30:00.000Z' : 'text';
}

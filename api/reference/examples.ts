/** A node of a JSON Schema or of the OpenAPI document. */
export type SchemaNode = { readonly [key: string]: unknown };

export const isNode = (value: unknown): value is SchemaNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first example of a response schema, or one composed of the examples of its parts. */
export function exampleOf(schema: unknown, resolve: (name: string) => SchemaNode): unknown {
  if (!isNode(schema)) return null;
  const { examples, $ref, anyOf, properties, items, format } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (typeof $ref === 'string') return exampleOf(resolve($ref.split('/').at(-1) ?? ''), resolve);
  if ('const' in schema) return schema['const'];
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0], resolve);
  if (isNode(items)) return [exampleOf(items, resolve)];
  if (isNode(properties))
    return Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, exampleOf(property, resolve)]),
    );
  return format === 'date-time' ? '2026-11-21T09:30:00.000Z' : 'text';
}

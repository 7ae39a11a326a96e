import { isNode } from './schema-nodes.ts';

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

import * as v from 'valibot';

/** As much of a JSON Schema as an example is made of. */
export type SchemaNode = { readonly [key: string]: unknown };

export const isNode = (value: unknown): value is SchemaNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const nodes = v.array(v.custom<SchemaNode>(isNode));

/** The first of a schema's own examples, or one made of its parts. Absent where a schema says nothing. */
export function exampleOf(schema: SchemaNode, resolve: (name: string) => SchemaNode): unknown {
  const { examples, $ref, anyOf, type, properties, items, minimum, maximum } = schema;
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  if (typeof $ref === 'string') return exampleOf(resolve($ref.split('/').at(-1) ?? ''), resolve);
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  if ('default' in schema) return schema['default'];
  const [first] = v.is(nodes, anyOf) ? anyOf : [];
  if (first !== undefined) return exampleOf(first, resolve);
  const kind: unknown = Array.isArray(type) ? type[0] : type;
  if (kind === 'object') return objectExample(isNode(properties) ? properties : {}, resolve);
  if (kind === 'array') return isNode(items) ? [exampleOf(items, resolve)] : [];
  if (kind === 'string') return stringExample(schema['format']);
  if (kind === 'boolean') return true;
  if (kind === 'integer' || kind === 'number')
    return minimum ?? (typeof maximum === 'number' ? maximum : 1);
  return null;
}

const objectExample = (properties: SchemaNode, resolve: (name: string) => SchemaNode) =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      isNode(property) ? [[name, exampleOf(property, resolve)]] : [],
    ),
  );

const stringExample = (format: unknown): string => {
  if (format === 'uuid') return '0199f3a2-6c1e-7b44-9d0a-3f5f2f6a1c01';
  if (format === 'date-time') return '2026-11-21T09:30:00.000Z';
  return 'text';
};

/** A node of a JSON Schema or of the OpenAPI document. */
export type SchemaNode = { readonly [key: string]: unknown };

export const isNode = (value: unknown): value is SchemaNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The node; an empty one for another value. */
export const asNode = (value: unknown): SchemaNode => (isNode(value) ? value : {});

/** The nodes of a list; empty for another value. */
export const nodesIn = (value: unknown): readonly SchemaNode[] =>
  Array.isArray(value) ? value.filter(isNode) : [];

/** The named nodes of an object; empty for another value. */
export const entriesOf = (value: unknown): readonly (readonly [string, SchemaNode])[] =>
  Object.entries(asNode(value)).flatMap(([name, node]) =>
    isNode(node) ? [[name, node] as const] : [],
  );

/** A text of the document; empty for another value. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const mapValues = (
  node: SchemaNode,
  change: (value: unknown, key: string) => unknown,
): SchemaNode =>
  Object.fromEntries(Object.entries(node).map(([key, value]) => [key, change(value, key)]));

/** Changes every node of a schema, the inner ones first. The values of `examples` are no nodes. */
export function mapNodes(schema: unknown, change: (node: SchemaNode) => unknown): unknown {
  if (Array.isArray(schema)) return schema.map((item) => mapNodes(item, change));
  if (!isNode(schema)) return schema;
  return change(
    mapValues(schema, (value, key) =>
      key === 'examples' && Array.isArray(value) ? value : mapNodes(value, change),
    ),
  );
}

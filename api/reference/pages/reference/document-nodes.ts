import { isNode, type SchemaNode } from '../../examples.ts';

/** The node that a reference of the document names, or the node itself; empty for another value. */
export function resolved(document: SchemaNode, value: unknown): SchemaNode {
  if (!isNode(value)) return {};
  const { $ref, ...rest } = value;
  if (typeof $ref !== 'string') return value;
  const parts = $ref.split('/').slice(1);
  const target = parts.reduce<unknown>(
    (node, part) => (isNode(node) ? node[part] : undefined),
    document,
  );
  // What stands beside the reference describes its use.
  return { ...resolved(document, target), ...rest };
}

/** The nodes of a list; empty for another value. */
export const nodesIn = (value: unknown): readonly SchemaNode[] =>
  Array.isArray(value) ? value.filter(isNode) : [];

/** The named nodes of an object; empty for another value. */
export const entriesOf = (value: unknown): readonly (readonly [string, SchemaNode])[] =>
  isNode(value)
    ? Object.entries(value).flatMap(([name, node]) => (isNode(node) ? [[name, node] as const] : []))
    : [];

/** A text of the document; empty for another value. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

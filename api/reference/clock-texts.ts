import { asNode, mapNodes, textOf, type SchemaNode } from './schema-nodes.ts';

const isInstant = ({ format }: SchemaNode): boolean => format === 'date-time';

/** Whether a node is a field or a parameter with a description of an instant. */
const showsInstant = (node: SchemaNode): boolean =>
  textOf(node['description']) !== '' &&
  (isInstant(node) || (node['in'] === 'query' && isInstant(asNode(node['schema']))));

/** What the overview says of all dates. */
const form = / RFC 3339 with a time and an offset or `Z`\.$/;

/** A description that names a clock stays as it is. */
function withClock(description: string): string {
  if (/in real time,|by your clock/.test(description)) return description;
  const named = description.replace(/,? in UTC/, ' by your clock');
  return named === description ? `${description.replace(form, '')} By your clock.` : named;
}

/**
 * Says in the vendors' document of a sandbox that an instant is by the vendor's clock, unless its
 * description says that it is in real time.
 */
export const withClockTexts = (document: SchemaNode): SchemaNode =>
  asNode(
    mapNodes(document, (node) =>
      showsInstant(node) ? { ...node, description: withClock(textOf(node['description'])) } : node,
    ),
  );

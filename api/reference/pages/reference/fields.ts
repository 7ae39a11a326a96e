import type { SchemaNode } from '../../nodes.ts';
import { escaped } from '../html.ts';
import { markdown } from '../markdown.ts';
import { entriesOf, nodesIn, resolved, textOf } from '../../nodes.ts';

/** The alternatives of a schema that a reader tells apart. An empty text counts as omitted. */
function alternativesOf(document: SchemaNode, schema: SchemaNode): readonly SchemaNode[] {
  const { anyOf, oneOf, ...rest } = schema;
  const given = nodesIn(anyOf ?? oneOf).map((node) => resolved(document, node));
  if (given.length === 0) return [schema];
  return given
    .filter(({ pattern }) => pattern !== '^\\s*$')
    .flatMap((node) => alternativesOf(document, { ...rest, ...node }));
}

/** The parts of an `allOf` as one schema. */
function merged(document: SchemaNode, schema: SchemaNode): SchemaNode {
  const parts = nodesIn(schema['allOf']).map((part) => merged(document, resolved(document, part)));
  if (parts.length === 0) return schema;
  const properties = parts.map(({ properties: own }) => Object.fromEntries(entriesOf(own)));
  const required = parts.flatMap(({ required: own }) => (Array.isArray(own) ? own : []));
  return { ...schema, properties: Object.assign({}, ...properties) as SchemaNode, required };
}

const literal = (value: unknown): string => escaped(JSON.stringify(value));

/** Such as `text`, `number or null` or `list of objects`. */
function typeOf(document: SchemaNode, schema: SchemaNode): string {
  const names = alternativesOf(document, schema).flatMap((node) => {
    if ('const' in node) return [literal(node['const'])];
    if (node['items'] !== undefined) {
      const items = resolved(document, node['items']);
      return [`list of ${typeOf(document, items)}${'properties' in items ? 's' : ''}`];
    }
    const types = Array.isArray(node['type']) ? node['type'] : [node['type'] ?? 'any'];
    return types.map((type) => {
      const format = textOf(node['format']);
      return type === 'string' && format !== '' ? format : String(type);
    });
  });
  return [...new Set(names)].join(' or ');
}

type Value = string | number | boolean;

function valuesOf(document: SchemaNode, schema: SchemaNode): string {
  const values = alternativesOf(document, schema).flatMap(
    (node) => node['enum'] ?? node['x-extensible-enum'] ?? [],
  );
  const known = [...new Set(values)].filter((value) => value !== null);
  if (known.length === 0) return '';
  const codes = known.map((value) => `<code>${escaped(String(value as Value))}</code>`);
  return `<p class="values">${codes.join(' ')}</p>`;
}

/** The fields below a schema, of the items of a list and of each alternative. */
function innerOf(document: SchemaNode, schema: SchemaNode, depth: number): string {
  return alternativesOf(document, schema)
    .map((node) => ('items' in node ? resolved(document, node['items']) : node))
    .flatMap((node) => alternativesOf(document, node))
    .map((node) => fieldList(document, node, depth))
    .join('');
}

/** Deeper than any schema: a schema that contains itself ends there. */
const depthMax = 7;

/** All fields of a schema as nested lists, each with its type and description. */
export function fieldList(document: SchemaNode, given: unknown, depth = 0): string {
  const schema = merged(document, resolved(document, given));
  const fields = entriesOf(schema['properties']);
  if (fields.length === 0 || depth > depthMax) return '';
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const rows = fields.map(([name, raw]) => {
    const field = merged(document, resolved(document, raw));
    return fieldRow({
      name,
      type: typeOf(document, field),
      isRequired: required.includes(name),
      description: textOf(field['description']),
      inner: valuesOf(document, field) + innerOf(document, field, depth + 1),
    });
  });
  return `<ul class="fields">${rows.join('')}</ul>`;
}

/** One field or parameter. */
export function fieldRow(field: {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly inner: string;
}): string {
  const required = field.isRequired ? ' <span class="required">required</span>' : '';
  const description =
    field.description === '' ? '' : markdown.parse(field.description, { async: false });
  return `<li><code>${escaped(field.name)}</code> <span class="type">${field.type}</span>${required}
${description}${field.inner}</li>`;
}

/** The parameters of an operation, in the form of {@link fieldList}. */
export function parameterList(document: SchemaNode, parameters: readonly SchemaNode[]): string {
  const rows = parameters.map((parameter) => {
    const schema = resolved(document, parameter['schema']);
    return fieldRow({
      name: textOf(parameter['name']),
      type: typeOf(document, schema),
      isRequired: parameter['required'] === true,
      description: textOf(parameter['description']),
      inner: valuesOf(document, schema),
    });
  });
  return rows.length === 0 ? '' : `<ul class="fields">${rows.join('')}</ul>`;
}

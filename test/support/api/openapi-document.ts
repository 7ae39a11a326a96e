import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';
import { isNode, mapValues, type SchemaNode } from '../../../api/reference/schema-nodes.ts';
import { operatorSide, vendorSide, type Side } from '../../../api/reference/api-sides.ts';
import { isGtin } from '../../../domain/offers/gtin.ts';

/** A node's child; an empty one where there is none. */
export const child = (node: unknown, ...keys: readonly string[]): SchemaNode => {
  const [key, ...rest] = keys;
  if (!isNode(node)) return {};
  if (key === undefined) return node;
  return child(node[key], ...rest);
};

export const jsonSchemaIn = (holder: unknown): SchemaNode =>
  child(holder, 'content', 'application/json', 'schema');

export const parametersOf = ({ node: { parameters } }: Operation): readonly SchemaNode[] =>
  Array.isArray(parameters) ? parameters.filter(isNode) : [];

const step = (key: string): string =>
  `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`;

/** A JSON pointer to what the keys lead to. */
export const pointerOf = (...keys: readonly string[]): string => keys.map(step).join('');

/** A value and every object in it with its pointer, except what the skipped keywords lead to. */
export function nodesWithin(
  value: unknown,
  skipped: readonly string[] = [],
  pointer = '',
): readonly { readonly node: SchemaNode; readonly pointer: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value)
    .filter(([key]) => !skipped.includes(key))
    .flatMap(([key, each]) => nodesWithin(each, skipped, pointer + step(key)));
  return isNode(value) ? [{ node: value, pointer }, ...inner] : inner;
}

/** What each side's document says. */
export const readReferences = (
  app: FastifyInstance,
): Promise<readonly [vendors: Reference, operators: Reference]> =>
  Promise.all([readReference(app, vendorSide), readReference(app, operatorSide)]);

/** The part of a document that a reference names; anything else is itself. */
export function resolved(document: SchemaNode, node: unknown): unknown {
  const { $ref } = child(node);
  return typeof $ref === 'string' ? child(document, ...$ref.split('/').slice(1)) : node;
}

/**
 * What a tool shows of a schema: its first example, or else one composed of the examples of its
 * parts. Throws for a part without any.
 */
export function exampleOf(document: SchemaNode, schema: unknown): unknown {
  const { examples, format, ...node } = child(schema);
  if (Array.isArray(examples)) return examples[0];
  if ('const' in node) return node['const'];
  if ('$ref' in node) return exampleOf(document, resolved(document, node));
  if (Array.isArray(node['anyOf'])) return exampleOf(document, node['anyOf'][0]);
  if ('items' in node) return [exampleOf(document, node['items'])];
  const { properties } = node;
  if (isNode(properties)) return mapValues(properties, (property) => exampleOf(document, property));
  // Tools show an instant of their own.
  if (format === 'date-time') return '2026-11-21T09:30:00.000Z';
  throw new Error(`no example: ${JSON.stringify(node)}`);
}

/** The example of a response: its own, otherwise the one of its schema. */
export function exampleOfResponse(document: SchemaNode, response: unknown): unknown {
  const media = child(resolved(document, response), 'content', 'application/json');
  return media['example'] ?? exampleOf(document, media['schema']);
}

/** An operation with the parameters that it shares with others in full. */
const withParameters = (operation: SchemaNode, document: SchemaNode): SchemaNode =>
  Array.isArray(operation['parameters'])
    ? { ...operation, parameters: operation['parameters'].map((each) => resolved(document, each)) }
    : operation;

/** What the document of a side says. */
export async function readReference(app: FastifyInstance, { documentPath }: Side) {
  const document: unknown = (await app.inject({ method: 'GET', url: documentPath })).json();
  if (!isNode(document)) throw new Error('the reference is no object');
  const operations = Object.entries(child(document, 'paths')).flatMap(([path, methods]) =>
    Object.entries(child(methods)).map(([name, operation]) => {
      const node = withParameters(child(operation), document);
      const [method, operationId] = [name.toUpperCase(), String(node['operationId'])];
      return { method, path, operationId, at: `${method} ${path}`, node };
    }),
  );
  return { document, operations };
}
export type Reference = Awaited<ReturnType<typeof readReference>>;
export type Operation = Reference['operations'][number];

/** A validator that knows the formats and the extensions of the documents. */
export function newSchemaValidator(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addFormat('gtin', isGtin);
  ajv.addKeyword({ keyword: 'x-rules', macro: (rules: object[]) => ({ allOf: rules }) });
  ajv.addKeyword({ keyword: 'x-pattern', macro: (pattern: string) => ({ pattern }) });
  return ajv;
}

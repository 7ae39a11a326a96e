import { isErrorCode } from '../../domain/errors.ts';
import { errorComponents, errorResponses, responseHeaders } from './errors/error-responses.ts';
import { exampleOf, isNode, type SchemaNode } from './examples.ts';
import { linksOf } from './links.ts';
import { describePathId } from './path-ids.ts';
import { requestExamples } from './request-examples.ts';
import type { Side } from './sides.ts';

/** What operations refer to by name, collected while they are refined. */
type Components = {
  readonly schemas: Map<string, SchemaNode>;
  readonly responses: Map<string, SchemaNode>;
};

const sorted = (named: ReadonlyMap<string, SchemaNode>): SchemaNode =>
  Object.fromEntries([...named].toSorted(([one], [other]) => (one < other ? -1 : 1)));

const asNode = (value: unknown): SchemaNode => (isNode(value) ? value : {});
const mapValues = (
  node: SchemaNode,
  change: (value: unknown, key: string) => unknown,
): SchemaNode =>
  Object.fromEntries(Object.entries(node).map(([key, value]) => [key, change(value, key)]));

/** Moves every schema with a title to `components` and leaves a reference. */
function hoist(schema: unknown, components: Components): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoist(item, components));
  if (!isNode(schema)) return schema;
  const inner = mapValues(schema, (value) => hoist(value, components));
  const { title, description, ...rest } = inner;
  if (typeof title !== 'string') return inner;
  components.schemas.set(title, rest);
  const $ref = `#/components/schemas/${title}`;
  return description === undefined ? { $ref } : { description, $ref };
}

const schemaIn = (holder: SchemaNode): SchemaNode | undefined => {
  const { schema } = asNode(asNode(holder['content'])['application/json']);
  return isNode(schema) ? schema : undefined;
};

/** The request body, optional unless a field is required; none for a schema without fields. */
function refineBody(body: SchemaNode, operationId: string, components: Components): SchemaNode {
  const given = schemaIn(body);
  if (given === undefined || Object.keys(asNode(given['properties'])).length === 0) return {};
  const title = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`;
  const schema = hoist({ title, ...given }, components);
  const required = Array.isArray(given['required']) && given['required'].length > 0;
  const examples = requestExamples.get(operationId);
  return { requestBody: { required, content: { 'application/json': { schema, examples } } } };
}

/** A successful response with an example. */
function refineResponse(response: SchemaNode, status: number, components: Components): SchemaNode {
  const schema = asNode(hoist(schemaIn(response), components));
  const example = exampleOf(schema, (name) => components.schemas.get(name) ?? {});
  return {
    description: status === 201 ? 'Created' : 'Success',
    content: { 'application/json': { schema, example } },
  };
}

/** Adds to an operation what its route's schemas do not contain. */
function refineOperation(
  operation: SchemaNode,
  at: { readonly method: string; readonly path: string; readonly paths: SchemaNode },
  components: Components,
): SchemaNode {
  const { 'x-codes': codes, requestBody, responses, parameters, ...rest } = operation;
  const isAuthenticated = rest['security'] !== undefined;
  const errors = Array.isArray(codes) ? codes.filter(isErrorCode) : [];
  const successes = mapValues(asNode(responses), (response, key) => {
    const status = Number(key);
    const links = linksOf(at.paths, `${at.method.toUpperCase()} ${at.path}`, status);
    return {
      ...refineResponse(asNode(response), status, components),
      headers: responseHeaders(status, isAuthenticated),
      ...(links === null ? {} : { links }),
    };
  });
  return {
    ...rest,
    security: rest['security'] ?? [],
    ...(Array.isArray(parameters)
      ? { parameters: parameters.map((each) => describePathId(asNode(each), at.path)) }
      : {}),
    ...refineBody(asNode(requestBody), String(rest['operationId']), components),
    responses: { ...successes, ...errorResponses(errors, isAuthenticated, components.responses) },
  };
}

/** A side's document, from the one that `@fastify/swagger` builds of all routes' schemas. */
export function refine(
  document: SchemaNode,
  { side, version }: { readonly side: Side; readonly version: string },
): SchemaNode {
  const all = Object.entries(asNode(document['paths']));
  const paths = Object.fromEntries(all.filter(([path]) => side.includes(path)));
  const components: Components = { schemas: new Map(), responses: new Map() };
  const refined = mapValues(paths, (operations, path) =>
    mapValues(asNode(operations), (operation, method) =>
      refineOperation(asNode(operation), { method, path, paths }, components),
    ),
  );
  return {
    ...document,
    info: { title: side.title, version, description: side.overview },
    servers: [{ url: '/', description: 'This gateway' }],
    tags: Object.entries(side.tags).map(([name, description]) => ({ name, description })),
    paths: refined,
    components: {
      ...asNode(document['components']),
      ...errorComponents,
      schemas: { ...sorted(components.schemas), ...errorComponents.schemas },
      responses: sorted(components.responses),
    },
  };
}

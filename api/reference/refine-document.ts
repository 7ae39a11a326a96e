import type { Environment } from '../../domain/accounts/credentials.ts';
import { isErrorCode } from '../../domain/errors.ts';
import { addComponent, hoist, nameIn, type Components } from './components.ts';
import { errorComponentsOf, errorResponses, keyedHeaders } from './errors/error-responses.ts';
import { exampleOf } from './examples.ts';
import { linksOf } from './response-links.ts';
import {
  asNode,
  entriesOf,
  isNode,
  mapValues,
  nodesIn,
  textOf,
  type SchemaNode,
} from './schema-nodes.ts';
import { outcomeExamples, withOutcome } from './outcome-examples.ts';
import { describeParameter, isKeyParameter, parameterName } from './parameters.ts';
import { requestExamples } from './request-examples.ts';
import type { Side } from './api-sides.ts';
import { eventWebhooks } from './webhooks.ts';

const sorted = (named: ReadonlyMap<string, SchemaNode>): SchemaNode =>
  Object.fromEntries([...named].toSorted(([one], [other]) => (one < other ? -1 : 1)));

const schemaIn = (holder: SchemaNode): SchemaNode | undefined => {
  const { schema } = asNode(asNode(holder['content'])['application/json']);
  return isNode(schema) ? schema : undefined;
};

/** The contents of other media types: texts, without a schema of their own. */
const textsOf = (mediaTypes: unknown): SchemaNode =>
  Object.fromEntries(
    (Array.isArray(mediaTypes) ? mediaTypes.map(String) : []).map((type) => [
      type,
      { schema: { type: 'string' } },
    ]),
  );

/** The request body, optional unless a field is required; none for a schema without fields. */
function refineBody(
  body: SchemaNode,
  { operationId, received }: { readonly operationId: string; readonly received: unknown },
  components: Components,
): SchemaNode {
  const given = schemaIn(body);
  if (given === undefined || Object.keys(asNode(given['properties'])).length === 0) return {};
  const title = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`;
  const schema = hoist({ title, ...given }, components);
  const required = Array.isArray(given['required']) && given['required'].length > 0;
  const examples = requestExamples.get(operationId);
  const content = { 'application/json': { schema, examples }, ...textsOf(received) };
  return { requestBody: { required, content } };
}

/** What a refined operation needs to know of its location. */
type Location = {
  readonly method: string;
  readonly path: string;
  readonly paths: SchemaNode;
  /** How many operations have a parameter, by its JSON. */
  readonly uses: ReadonlyMap<string, number>;
};

const meanings: Readonly<Record<number, string>> = { 201: 'Created', 202: 'Accepted' };

/**
 * A successful response. It has an example unless its schema's example shows the outcome.
 * Operations with the same response share it, unless it has links.
 */
function refineResponse(
  response: SchemaNode,
  at: Location & {
    readonly status: number;
    readonly isKeyed: boolean;
    readonly sent: unknown;
    /** What differs from the example of the schema; undefined if nothing does. */
    readonly outcome: SchemaNode | undefined;
  },
  components: Components,
): SchemaNode {
  const { status, isKeyed } = at;
  const given = schemaIn(response);
  const schema = asNode(hoist(given, components));
  const name = nameIn(schema['$ref']);
  const example =
    at.outcome === undefined ? undefined : withOutcome(exampleOf(given), { payload: at.outcome });
  const meaning = meanings[status] ?? 'Success';
  const refined = {
    description: `${meaning}: \`${name}\`.`,
    headers: isKeyed ? keyedHeaders : undefined,
    content: { 'application/json': { schema, example }, ...textsOf(at.sent) },
  };
  const links = linksOf(at.paths, `${at.method.toUpperCase()} ${at.path}`, status);
  if (links !== null) return { ...refined, links };
  const { status: reached, state } = at.outcome ?? {};
  const shared = `${name.replace(/Response$/, '')}${meaning}${textOf(reached ?? state)}`;
  return addComponent(components, 'responses', [shared, refined]);
}

/** A reference to a parameter that several operations have; the parameter itself otherwise. */
function refineParameter(given: SchemaNode, at: Location, components: Components): SchemaNode {
  const parameter = describeParameter(given, at.path);
  const json = JSON.stringify(parameter);
  const name = parameterName(parameter, at.path);
  // A parameter of the path and one of the query can have the same name.
  const free = [name, `${name}InQuery`].find((each) => {
    const known = components.parameters.get(each);
    return known === undefined || JSON.stringify(known) === json;
  });
  if ((at.uses.get(json) ?? 0) < 2 || free === undefined) return parameter;
  return addComponent(components, 'parameters', [free, parameter]);
}

/** Adds to an operation what its route's schemas do not contain. */
function refineOperation(operation: SchemaNode, at: Location, components: Components): SchemaNode {
  const {
    'x-codes': codes,
    'x-received': received,
    'x-sent': sent,
    requestBody,
    responses,
    parameters,
    ...rest
  } = operation;
  const operationId = String(rest['operationId']);
  const isAuthenticated = rest['security'] !== undefined;
  const isKeyed = nodesIn(parameters).some(isKeyParameter);
  const errors = Array.isArray(codes) ? codes.filter(isErrorCode) : [];
  const statuses = Object.keys(asNode(responses));
  const successes = mapValues(asNode(responses), (response, status) => {
    // The 200 beside a 201 returns what exists already, in any state.
    const isOutcome = status !== '200' || statuses.length === 1;
    const outcome = isOutcome ? outcomeExamples[operationId] : undefined;
    return refineResponse(
      asNode(response),
      { ...at, status: Number(status), isKeyed, sent, outcome },
      components,
    );
  });
  const refined = nodesIn(parameters).map((each) => refineParameter(each, at, components));
  return {
    ...rest,
    // The document asks for a token by default.
    security: isAuthenticated ? undefined : [],
    ...(refined.length === 0 ? {} : { parameters: refined }),
    ...refineBody(asNode(requestBody), { operationId, received }, components),
    responses: { ...successes, ...errorResponses(errors, components) },
  };
}

/** How many operations have a parameter, by its JSON. */
function countParameters(paths: SchemaNode): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const [path, operations] of Object.entries(paths))
    for (const [, { parameters }] of entriesOf(operations))
      for (const parameter of nodesIn(parameters)) {
        const json = JSON.stringify(describeParameter(parameter, path));
        uses.set(json, (uses.get(json) ?? 0) + 1);
      }
  return uses;
}

/** A side's document, from the one that `@fastify/swagger` builds of all routes' schemas. */
export function refine(
  document: SchemaNode,
  given: { readonly side: Side; readonly environment: Environment; readonly version: string },
): SchemaNode {
  const { side, environment, version } = given;
  const errorComponents = errorComponentsOf(environment);
  const all = Object.entries(asNode(document['paths']));
  const paths = Object.fromEntries(all.filter(([path]) => side.includes(path)));
  const uses = countParameters(paths);
  const components: Components = {
    schemas: new Map(),
    responses: new Map(),
    parameters: new Map(),
    examples: new Map(),
  };
  const refined = mapValues(paths, (operations, path) =>
    mapValues(asNode(operations), (operation, method) =>
      refineOperation(asNode(operation), { method, path, paths, uses }, components),
    ),
  );
  const webhooks = side.hasWebhooks ? { webhooks: eventWebhooks(components) } : {};
  const operations = Object.values({ ...refined, ...webhooks.webhooks }).flatMap((path) =>
    Object.values(asNode(path)).map(asNode),
  );
  const usedTags = new Set(operations.flatMap(({ tags }) => tags));
  return {
    ...document,
    security: [{ bearer: [] }],
    info: { title: side.title, version, description: side.overview },
    servers: [{ url: '/', description: 'This gateway' }],
    tags: Object.entries(side.tags)
      .filter(([name]) => usedTags.has(name))
      .map(([name, description]) => ({ name, description })),
    paths: refined,
    ...webhooks,
    components: {
      ...asNode(document['components']),
      ...errorComponents,
      schemas: { ...sorted(components.schemas), ...errorComponents.schemas },
      parameters: sorted(components.parameters),
      responses: sorted(components.responses),
      examples: sorted(components.examples),
    },
  };
}

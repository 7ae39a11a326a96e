import { isErrorCode } from '../../domain/errors.ts';
import { answerComponents, errorAnswers, headersOf } from './answers.ts';
import { exampleOf, isNode, type SchemaNode } from './examples.ts';
import { linksOf } from './links.ts';
import { namedResponses } from './named-forms.ts';
import { tagGroups } from './overview.ts';
import { requestExamples } from './request-examples.ts';
import { entryOf, explain, placeOfParameter, type Place } from './wording.ts';

type Document = { readonly [key: string]: unknown };

const inErrors: Place = { parent: null, forms: ['Error'] };
const asNode = (value: unknown): SchemaNode => (isNode(value) ? value : {});
const names: ReadonlySet<unknown> = new Set(namedResponses.values());
const mapValues = (
  node: SchemaNode,
  change: (value: unknown, key: string) => unknown,
): SchemaNode =>
  Object.fromEntries(Object.entries(node).map(([key, value]) => [key, change(value, key)]));

/** Moves every schema that has a name to `components`, and leaves a reference. */
function hoist(schema: unknown, named: Map<string, SchemaNode>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoist(item, named));
  if (!isNode(schema)) return schema;
  const inner = mapValues(schema, (value) => hoist(value, named));
  const { title, description, ...rest } = inner;
  if (typeof title !== 'string' || !names.has(title)) return inner;
  named.set(title, rest);
  const $ref = `#/components/schemas/${title}`;
  return description === undefined ? { $ref } : { description, $ref };
}

/** Everything about one operation that its route's schemas do not say by themselves. */
function refineOperation(
  operation: SchemaNode,
  at: string,
  { paths, named }: { readonly paths: SchemaNode; readonly named: Map<string, SchemaNode> },
): SchemaNode {
  const { 'x-codes': codes, requestBody, responses, parameters, ...rest } = operation;
  const errors = Array.isArray(codes) ? codes.filter(isErrorCode) : [];
  const isAuthenticated = rest['security'] !== undefined;
  const resolve = (name: string): SchemaNode => named.get(name) ?? {};
  const operationId = String(rest['operationId']);
  const [, path = ''] = at.split(' ');
  const success = isNode(responses)
    ? mapValues(responses, (answer, status) =>
        refineAnswer(answer, {
          status: Number(status),
          isAuthenticated,
          resolve,
          named,
          operationId,
          links: linksOf(paths, at, Number(status)),
        }),
      )
    : {};
  return {
    ...rest,
    security: rest['security'] ?? [],
    ...(Array.isArray(parameters)
      ? { parameters: parameters.map((parameter) => refineParameter(parameter, path, operationId)) }
      : {}),
    ...refineBody(requestBody, { at, operationId, named, resolve }),
    responses: { ...success, ...asNode(explain(errorAnswers(errors, isAuthenticated), inErrors)) },
  };
}

const schemaIn = (content: unknown): unknown => {
  const json = isNode(content) ? content['application/json'] : undefined;
  return isNode(json) ? json['schema'] : undefined;
};

type AnswerPlace = {
  readonly status: number;
  readonly links: SchemaNode | null;
  readonly isAuthenticated: boolean;
  readonly operationId: string;
  readonly resolve: (name: string) => SchemaNode;
  readonly named: Map<string, SchemaNode>;
};

function refineAnswer(
  answer: unknown,
  { status, links, isAuthenticated, operationId, resolve, named }: AnswerPlace,
): unknown {
  if (!isNode(answer)) return answer;
  const schema = hoist(
    explain(schemaIn(answer['content']), { parent: null, forms: [operationId] }),
    named,
  );
  return {
    description: status === 201 ? 'Created' : 'Done',
    headers: headersOf(status, isAuthenticated),
    content: {
      'application/json': {
        schema,
        ...(isNode(schema) ? { example: exampleOf(schema, resolve) } : {}),
      },
    },
    ...(links === null ? {} : { links }),
  };
}

/** What is left out is null to us, which is nobody's business. */
function withoutNullDefaults(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNullDefaults);
  if (!isNode(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !(key === 'default' && value === null))
      .map(([key, value]) => [key, withoutNullDefaults(value)]),
  );
}

type BodyPlace = Pick<AnswerPlace, 'operationId' | 'named' | 'resolve'> & { readonly at: string };

/** A body of which nothing is required may be left out; one that has no fields is none. */
function refineBody(
  requestBody: unknown,
  { at, operationId, named, resolve }: BodyPlace,
): SchemaNode {
  const given = isNode(requestBody) ? schemaIn(requestBody['content']) : undefined;
  if (
    !isNode(given) ||
    (isNode(given['properties']) && Object.keys(given['properties']).length === 0)
  )
    return {};
  const schema = hoist(
    withoutNullDefaults(explain(given, { parent: null, forms: [operationId, 'request'] })),
    named,
  );
  const required = Array.isArray(given['required']) && given['required'].length > 0;
  const examples = requestExamples[at];
  const shown =
    examples === undefined
      ? { example: isNode(schema) ? exampleOf(schema, resolve) : null }
      : { examples };
  return { requestBody: { required, content: { 'application/json': { schema, ...shown } } } };
}

function refineParameter(parameter: unknown, path: string, operationId: string): unknown {
  if (!isNode(parameter)) return parameter;
  const { in: place, name, schema } = parameter;
  const entry = entryOf(
    placeOfParameter(String(place), String(name), path, operationId),
    String(name),
  );
  const isId = place === 'path';
  return {
    ...parameter,
    ...entry,
    schema: isId ? { type: 'string', format: 'uuid' } : schema,
  };
}

/** The document as people and tools read it, of the one that the routes' schemas make. */
export function refine(document: Document): Document {
  const { paths, components } = document;
  const named = new Map<string, SchemaNode>();
  const refined = isNode(paths)
    ? mapValues(paths, (operations, path) =>
        isNode(operations)
          ? mapValues(operations, (operation, method) =>
              isNode(operation)
                ? refineOperation(operation, `${method.toUpperCase()} ${path}`, { paths, named })
                : operation,
            )
          : operations,
      )
    : {};
  const forms = [...named].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    ...document,
    // The page's two sides: no part of OpenAPI, but read by it and by its kind.
    'x-tagGroups': tagGroups,
    paths: refined,
    components: {
      ...(isNode(components) ? components : {}),
      ...answerComponents,
      responses: explain(answerComponents.responses, inErrors),
      schemas: { ...Object.fromEntries(forms), ...answerComponents.schemas },
    },
  };
}

import { expect } from 'vitest';
import type { SchemaNode } from '../../../api/reference/schema-nodes.ts';
import { child, jsonSchemaIn, nodesWithin, resolved } from '../../support/api/openapi-document.ts';
import { documentTest as test } from './document-test.ts';

/** What client generators make of the documents. */

/** The references of a node and of everything that it refers to. */
function referencesFrom(document: SchemaNode, from: unknown, found = new Set<string>()) {
  for (const { node } of nodesWithin(from)) {
    const { $ref } = node;
    if (typeof $ref !== 'string' || found.has($ref)) continue;
    found.add($ref);
    referencesFrom(document, resolved(document, node), found);
  }
  return found;
}

test('names the schema of every body of a request or response', ({ references }) => {
  for (const { document, operations } of references) {
    for (const { node, at } of operations) {
      const { requestBody, responses } = node;
      const described = Object.values(child(responses)).map((each) => resolved(document, each));
      for (const body of [...described, ...(requestBody === undefined ? [] : [requestBody])])
        expect(jsonSchemaIn(body)['$ref'], at).toMatch(/^#\/components\/schemas\/\w+$/);
    }
  }
});

/** Whether a schema, apart from those that it refers to, refuses a field or a value. */
const isClosed = (schema: unknown): boolean =>
  nodesWithin(schema, ['examples']).some(
    ({ node }) => 'enum' in node || (node['additionalProperties'] ?? true) === false,
  );

test('accepts in every response a field or value that a later version adds', ({ references }) => {
  for (const { document, operations } of references) {
    const responses = operations.map(({ node }) => node['responses']);
    const found = referencesFrom(document, responses);
    expect(found.size).toBeGreaterThan(100);
    const closed = [...found].filter(($ref) => isClosed(resolved(document, { $ref })));
    expect(closed).toEqual([]);
    expect(responses.filter(isClosed)).toEqual([]);
  }
});

test('names the shared parameters and enumerations of the vendors’ document', ({
  references: [vendors],
}) => {
  const { parameters, schemas } = child(vendors.document, 'components');
  for (const [named, names] of [
    [parameters, 'OfferId Page PageSize ChangedSince'],
    [schemas, 'Offer FulfilmentGroup ReturnRequest WebhookSubscription WebhookDeliveryAttempt'],
    [schemas, 'OfferStatus FulfilmentGroupStatus ReturnStatus WebhookEventType'],
    [schemas, 'Pagination Error ErrorDetails'],
  ] as const)
    expect(Object.keys(child(named))).toEqual(expect.arrayContaining(names.split(' ')));
});

test('gives every number a format that holds its values exactly (D107)', ({ references }) => {
  for (const { document } of references) {
    const schemas = nodesWithin(child(document, 'components', 'schemas'), [
      'example',
      'examples',
      'value',
      'x-rules',
    ]);
    const formats = schemas.flatMap(({ node: { type, format } }) =>
      [type]
        .flat()
        .filter((each) => each === 'number' || each === 'integer')
        .map((each) => `${each} ${String(format)}`),
    );
    expect(new Set(formats)).toEqual(new Set(['number double', 'integer int32', 'integer int64']));
  }
});

test('gives each field of a request one type, except the items of a job (D106)', ({
  references,
}) => {
  for (const { document } of references) {
    const schemas = Object.entries(child(document, 'components', 'schemas'));
    const requests = schemas.filter(([name]) => name.endsWith('Request'));
    expect(requests.length).toBeGreaterThan(10);
    for (const [name, { 'x-rules': _rules, ...schema }] of requests as [string, SchemaNode][])
      for (const property of Object.values(child(schema, 'properties')))
        expect(Object.keys(child(property)), name).not.toContain('anyOf');
  }
});

test('gives each event type its own schema, with its name as a constant', ({
  references: [{ document }],
}) => {
  for (const [eventType, webhook] of Object.entries(child(document, 'webhooks'))) {
    const { $ref } = jsonSchemaIn(child(webhook, 'post', 'requestBody'));
    const schema = child(resolved(document, { $ref }));
    expect(child(schema, 'properties', 'eventType')).toMatchObject({ const: eventType });
    expect(child(schema, 'properties')).toHaveProperty('eventId');
  }
});

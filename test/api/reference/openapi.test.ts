import { afterAll, beforeAll, expect, test } from 'vitest';
import { isNode } from '../../../api/reference/examples.ts';
import { glossary } from '../../../api/reference/glossary.ts';
import { tags } from '../../../api/reference/overview.ts';
import { isOpaque, keyOf, placeOfParameter, type Place } from '../../../api/reference/wording.ts';
import {
  child,
  jsonSchemaIn,
  parametersOf,
  readReference,
  type Reference,
} from '../support/openapi-document.ts';
import { startGateway, type Gateway } from '../support/api.ts';

let gateway: Gateway;
let reference: Reference;

beforeAll(async () => {
  gateway = await startGateway();
  reference = await readReference(gateway.app);
});
afterAll(() => gateway.close());

test('every operation has a name of its own that a client generator can take, and says what it does', () => {
  const { operations } = reference;
  expect(operations.length).toBeGreaterThan(70);
  for (const { node, at } of operations) {
    expect(node['operationId'], at).toMatch(/^[a-z]+(?:[A-Z][a-z]+)+$/);
    expect(node['summary'], at).toMatch(/\w/);
    expect(node['description'], at).toMatch(/^[A-Z].{20,}[.!]$/s);
  }
  const names = operations.map(({ operationId }) => operationId);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('an operation that takes a token says who may call it', () => {
  for (const { node, at } of reference.operations) {
    const isOpen = Array.isArray(node['security']) && node['security'].length === 0;
    if (isOpen) expect(node['description'], at).not.toMatch(/\n\n(?:Capability|Role): /);
    else expect(node['description'], at).toMatch(/\n\n(?:Capability|Role): .+\.$/);
  }
});

test('the operations’ tags are those that the page explains, in one group each', () => {
  const used = new Set(
    reference.operations.flatMap(({ node }) => node['tags'] as readonly string[]),
  );
  const named = tags.map(({ name }) => name);
  expect([...used].toSorted()).toEqual(named.toSorted());
  for (const { name, description } of tags) expect(description, name).toMatch(/\w.*\.$/s);
  const groups = reference.document['x-tagGroups'] as readonly { tags: readonly string[] }[];
  expect(groups.flatMap((group) => group.tags)).toEqual(named);
});

/** Each property of a schema with the place where it stands, as the glossary is asked for it. */
function propertiesOf(schema: unknown, place: Place): readonly Property[] {
  if (Array.isArray(schema)) return schema.flatMap((item) => propertiesOf(item, place));
  if (!isNode(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (isOpaque(keyword)) return [];
    if (keyword !== 'properties' || !isNode(value)) return propertiesOf(value, place);
    return Object.entries(value).flatMap(([name, property]) => [
      { name, place, description: child(property)['description'] },
      ...propertiesOf(property, { ...place, parent: name }),
    ]);
  });
}
type Property = { readonly name: string; readonly place: Place; readonly description: unknown };

function described(): readonly Property[] {
  const { document, operations } = reference;
  const forms = Object.entries(child(document, 'components', 'schemas')).flatMap(([form, schema]) =>
    propertiesOf(schema, { parent: null, forms: [form] }),
  );
  const shared = propertiesOf(child(document, 'components', 'responses'), {
    parent: null,
    forms: ['Error'],
  });
  const inOperations = operations.flatMap((operation) => {
    const { node, operationId, path } = operation;
    const answers = Object.entries(child(node, 'responses')).flatMap(([status, answer]) =>
      propertiesOf(jsonSchemaIn(answer), {
        parent: null,
        forms: [status.startsWith('2') ? operationId : 'Error'],
      }),
    );
    const body = propertiesOf(jsonSchemaIn(node['requestBody']), {
      parent: null,
      forms: [operationId, 'request'],
    });
    const parameters = parametersOf(operation).map(({ in: kind, name, description }) => ({
      name: String(name),
      place: placeOfParameter(String(kind), String(name), path, operationId),
      description,
    }));
    return [...answers, ...body, ...parameters];
  });
  return [...forms, ...shared, ...inOperations];
}

test('every property and every parameter says what it means', () => {
  const all = described();
  expect(all.length).toBeGreaterThan(1000);
  const silent = all.filter(
    ({ description }) => typeof description !== 'string' || description === '',
  );
  expect([...new Set(silent.map(({ name, place }) => `${JSON.stringify(place)} ${name}`))]).toEqual(
    [],
  );
});

test('every entry of the glossary explains something', () => {
  const used = new Set(described().map(({ name, place }) => keyOf(place, name)));
  expect(Object.keys(glossary).filter((key) => !used.has(key))).toEqual([]);
});

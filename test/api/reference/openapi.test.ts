import { expect } from 'vitest';
import { isNode, type SchemaNode } from '../../../api/reference/nodes.ts';
import { child, parametersOf, resolved } from '../../support/api/openapi-document.ts';
import { documentTest } from './document-test.ts';

const test = documentTest.extend('operations', { scope: 'file' }, ({ references }) =>
  references.flatMap(({ operations }) => operations),
);

test('each side’s document has the operations of this side and no others', ({
  references: [vendors, operators, sandbox],
}) => {
  expect(vendors.operations.length).toBeGreaterThan(35);
  expect(operators.operations.length).toBeGreaterThan(35);
  for (const { path } of operators.operations) expect(path).toMatch(/^\/operator\/v1\//);
  for (const { path } of vendors.operations) expect(path).not.toMatch(/^\/operator\//);
  const ofVendors = vendors.operations.map(({ operationId }) => operationId);
  expect(ofVendors).toEqual(
    expect.arrayContaining(['createToken', 'listOffers', 'getHealth', 'listPublicKeys']),
  );
  const ofSandbox = sandbox.operations.filter(({ path }) => path.startsWith('/api/v1/sandbox/'));
  expect(ofSandbox.length).toBeGreaterThan(20);
  const others = sandbox.operations.filter((operation) => !ofSandbox.includes(operation));
  expect(others.map(({ at }) => at)).toEqual(vendors.operations.map(({ at }) => at));
});

test('every operation has its own name that a client generator can take, and says what it does', ({
  references,
  operations,
}) => {
  expect(operations.length).toBeGreaterThan(70);
  for (const { node, at } of operations) {
    expect(node['operationId'], at).toMatch(/^[a-z]+(?:[A-Z][a-z]+)+$/);
    expect(node['summary'], at).toMatch(/\w/);
    expect(node['description'], at).toMatch(/^[A-Z].{20,}[.!]$/s);
  }
  const [vendors, operators, sandbox] = references;
  for (const document of [vendors, sandbox]) {
    const own = [...document.operations, ...operators.operations];
    const names = own.map(({ operationId }) => operationId);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  }
});

test('an operation with a token names its capability or role', ({ operations }) => {
  for (const { node, at } of operations) {
    const isOpen = Array.isArray(node['security']) && node['security'].length === 0;
    if (isOpen) expect(node['description'], at).not.toMatch(/\n\n(?:Capability|Role): /);
    else expect(node['description'], at).toMatch(/\n\n(?:Capability|Role): .+\.$/);
  }
});

test('the operations’ tags are those that their page explains', ({ references }) => {
  for (const { document, operations } of references) {
    const webhooks = Object.values(child(document, 'webhooks')).map((each) => child(each, 'post'));
    const nodes = [...operations.map(({ node }) => node), ...webhooks];
    const used = new Set(nodes.flatMap((node) => node['tags'] as readonly string[]));
    const tags = document['tags'] as readonly { name: string; description: string }[];
    expect([...used].toSorted()).toEqual(tags.map(({ name }) => name).toSorted());
    for (const { name, description } of tags) expect(description, name).toMatch(/\w.*\.$/s);
  }
});

test('every pattern says something to its reader', ({ references }) => {
  for (const { document } of references)
    expect(JSON.stringify(document)).not.toMatch(/"pattern":"[^"]*u0000/);
});

type Described = { readonly at: string; readonly description: unknown };

/** Keywords with values or with rules between fields, whose properties need no description. */
const isOpaque = (keyword: string): boolean =>
  ['enum', 'const', 'example', 'examples', 'default', 'x-rules', 'not'].includes(keyword);

/** Every property below a node of the document, by its pointer. */
function propertiesOf(document: SchemaNode, node: unknown, at: string): readonly Described[] {
  if (Array.isArray(node))
    return node.flatMap((item, index) => propertiesOf(document, item, `${at}/${index}`));
  if (!isNode(node)) return [];
  return Object.entries(node).flatMap(([keyword, value]) => {
    if (isOpaque(keyword)) return [];
    const inner = propertiesOf(document, value, `${at}/${keyword}`);
    if (keyword !== 'properties' || !isNode(value)) return inner;
    // An enumeration has its description where it is named.
    const own = Object.entries(value).map(([name, property]) => ({
      at: `${at}/${name}`,
      description:
        child(property)['description'] ?? child(resolved(document, property))['description'],
    }));
    return [...own, ...inner];
  });
}

test('every property and every parameter says what it means', ({ references, operations }) => {
  const parameters = operations.flatMap((operation) =>
    parametersOf(operation).map(({ name, description }) => ({
      at: `${operation.at} ${String(name)}`,
      description,
    })),
  );
  const all = [
    ...references.flatMap(({ document }) => [
      ...propertiesOf(document, document['paths'], ''),
      ...propertiesOf(document, document['components'], ''),
    ]),
    ...parameters,
  ];
  expect(all.length).toBeGreaterThan(1000);
  const silent = all.filter(
    ({ description }) => typeof description !== 'string' || !/^[A-Z`].*[.:]/s.test(description),
  );
  expect(silent.map(({ at }) => at)).toEqual([]);
});

import { expect } from 'vitest';
import { isNode } from '../../../api/reference/examples.ts';
import { tags } from '../../../api/reference/overview.ts';
import { child, parametersOf, readReference } from '../support/openapi-document.ts';
import { gatewayTest } from '../../support/gateway-test.ts';

const test = gatewayTest.extend('reference', { scope: 'file' }, ({ gateway }) =>
  readReference(gateway.app),
);

test('every operation has a name of its own that a client generator can take, and says what it does', ({
  reference,
}) => {
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

test('an operation with a token names its capability or role', ({ reference }) => {
  for (const { node, at } of reference.operations) {
    const isOpen = Array.isArray(node['security']) && node['security'].length === 0;
    if (isOpen) expect(node['description'], at).not.toMatch(/\n\n(?:Capability|Role): /);
    else expect(node['description'], at).toMatch(/\n\n(?:Capability|Role): .+\.$/);
  }
});

test('the operations’ tags are those that the page explains, in one group each', ({
  reference,
}) => {
  const used = new Set(
    reference.operations.flatMap(({ node }) => node['tags'] as readonly string[]),
  );
  const named = tags.map(({ name }) => name);
  expect([...used].toSorted()).toEqual(named.toSorted());
  for (const { name, description } of tags) expect(description, name).toMatch(/\w.*\.$/s);
  const groups = reference.document['x-tagGroups'] as readonly { tags: readonly string[] }[];
  expect(groups.flatMap((group) => group.tags)).toEqual(named);
});

type Described = { readonly at: string; readonly description: unknown };

/** Keywords with values or with rules between fields, whose properties need no description. */
const isOpaque = (keyword: string): boolean =>
  ['enum', 'const', 'example', 'examples', 'default', 'x-rules', 'not'].includes(keyword);

/** Every property below a node, by its pointer. */
function propertiesOf(node: unknown, at: string): readonly Described[] {
  if (Array.isArray(node))
    return node.flatMap((item, index) => propertiesOf(item, `${at}/${index}`));
  if (!isNode(node)) return [];
  return Object.entries(node).flatMap(([keyword, value]) => {
    if (isOpaque(keyword)) return [];
    const inner = propertiesOf(value, `${at}/${keyword}`);
    if (keyword !== 'properties' || !isNode(value)) return inner;
    const own = Object.entries(value).map(([name, property]) => ({
      at: `${at}/${name}`,
      description: child(property)['description'],
    }));
    return [...own, ...inner];
  });
}

test('every property and every parameter says what it means', ({ reference }) => {
  const { document, operations } = reference;
  const parameters = operations.flatMap((operation) =>
    parametersOf(operation).map(({ name, description }) => ({
      at: `${operation.at} ${String(name)}`,
      description,
    })),
  );
  const all = [
    ...propertiesOf(document['paths'], ''),
    ...propertiesOf(document['components'], ''),
    ...parameters,
  ];
  expect(all.length).toBeGreaterThan(1000);
  const silent = all.filter(
    ({ description }) => typeof description !== 'string' || !/^[A-Z`].*[.:]/s.test(description),
  );
  expect(silent.map(({ at }) => at)).toEqual([]);
});

import type { ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { isNode, type SchemaNode } from '../../../api/reference/schema-nodes.ts';
import { sample } from '../../../api/validation/sample.ts';
import { insertVendor } from '../../../db/accounts/vendors.ts';
import {
  costPlus,
  newOperator,
  newVariant,
  newVendor,
  tokenWith,
} from '../../support/api/actors.ts';
import { environments } from '../../../domain/accounts/credentials.ts';
import { capabilities } from '../../../domain/accounts/capabilities.ts';
import {
  child,
  exampleOfResponse,
  jsonSchemaIn,
  newSchemaValidator,
  nodesWithin,
  pointerOf,
  resolved,
  type Operation,
  type Reference,
} from '../../support/api/openapi-document.ts';
import { firstOf, newOrderFixture } from '../orders/order-fixture.ts';
import { call, unknownId, type Gateway } from '../../support/api/api.ts';
import { documentTest } from './document-test.ts';

const test = documentTest
  /** Judges an example by its schema; null if it is valid. */
  .extend('objectionTo', { scope: 'file' }, ({ references }) => {
    const ajv = newSchemaValidator();
    const idOf = (document: SchemaNode): string =>
      `document-${references.findIndex((known) => known.document === document)}`;
    for (const { document } of references) ajv.addSchema({ ...document, $id: idOf(document) });
    // Most examples share a few schemas, and a compilation takes some 20 ms.
    const validators = new Map<string, ValidateFunction>();
    return ({ document }: Reference, { pointer, schema, value }: Shown): string | null => {
      const { $ref = `#${pointer}` } = child(schema);
      const key = JSON.stringify([idOf(document), schema]);
      const validate =
        validators.get(key) ?? ajv.compile({ $ref: `${idOf(document)}${String($ref)}` });
      validators.set(key, validate);
      return validate(value)
        ? null
        : `${pointer}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`;
    };
  });

/** An example with its schema, which is at the pointer. */
type Shown = { readonly pointer: string; readonly schema: unknown; readonly value: unknown };

const withExamples = ['example', 'examples', 'enum', 'const', 'default'];

/** Every example below a part of a document, with the pointer to its schema. */
const shownIn = ({ document }: Reference, part: readonly string[]): readonly Shown[] =>
  nodesWithin(child(document, ...part), withExamples, pointerOf(...part)).flatMap(
    ({ node, pointer }) => {
      const { example, examples, schema } = node;
      if (Array.isArray(examples))
        return examples.map((value) => ({ pointer, schema: node, value }));
      if (schema === undefined) return [];
      const named = isNode(examples) ? Object.values(examples) : [];
      return [
        ...(example === undefined ? [] : [example]),
        ...named.map((each) => child(resolved(document, each))['value']),
      ].map((value) => ({ pointer: `${pointer}/schema`, schema, value }));
    },
  );

test('has only examples that are valid by their schemas', ({ references, objectionTo }) => {
  for (const reference of references) {
    const components = ['schemas', 'responses', 'headers', 'parameters'];
    const parts = [['paths'], ...components.map((part) => ['components', part])];
    const shown = parts.flatMap((part) => shownIn(reference, part));
    expect(shown.length).toBeGreaterThan(200);
    expect(shown.flatMap((each) => objectionTo(reference, each) ?? [])).toEqual([]);
  }
});

const operationsOf = (references: readonly Reference[]): readonly Operation[] =>
  references.flatMap(({ operations }) => operations);

/** The named bodies of an operation. */
const bodiesOf = ({ node }: Operation) =>
  Object.entries(child(node, 'requestBody', 'content', 'application/json', 'examples')).map(
    ([name, example]) => ({ name, value: child(example)['value'] }),
  );

test('has named examples for every operation with a body', ({ references }) => {
  const withBody = operationsOf(references).filter(({ node }) => node['requestBody'] !== undefined);
  expect(withBody.length).toBeGreaterThan(30);
  expect(withBody.filter((each) => bodiesOf(each).length === 0).map(({ at }) => at)).toEqual([]);
});

test('has an example of every response, of its own or of its schema', ({
  references,
  objectionTo,
}) => {
  for (const reference of references) {
    const { document, operations } = reference;
    for (const { node, at } of operations) {
      for (const [status, response] of Object.entries(child(node, 'responses'))) {
        const full = resolved(document, response);
        const schema = jsonSchemaIn(full);
        expect(schema, `${at} ${status}`).not.toEqual({});
        if ('examples' in child(full, 'content', 'application/json')) continue;
        const shown = { pointer: '', schema, value: exampleOfResponse(document, response) };
        expect(objectionTo(reference, shown), `${at} ${status}`).toBeNull();
      }
    }
  }
});

/** Stores what the examples name; returns the tokens to send them with. */
async function settle(gateway: Gateway) {
  const { vendorId } = sample;
  await insertVendor(gateway.sql, { id: vendorId, name: 'V', isActive: true, agreement: costPlus });
  await newVariant(gateway, { id: sample.variantId, sku: 'another-sku' });
  const vendor = await newVendor(gateway);
  const operator = await newOperator(gateway);
  const orders = await newOrderFixture(gateway);
  const lines = [{ variantId: sample.variantId, quantity: 1 }];
  const order = await orders.take({ vendorId, lines });
  const { lineId } = firstOf(firstOf(order.groups).lines);
  return {
    vendorToken: tokenWith(gateway, { ...vendor, vendorId }, capabilities),
    operatorToken: operator.token,
    named: (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value)
          .replaceAll(sample.orderGlobalId, order.orderGlobalId)
          .replaceAll(sample.lineId, lineId),
      ),
  };
}

/**
 * The vendor's own id where its body depends on it; else unknown ids, since bodies are checked
 * first.
 */
const urlOf = ({ path }: Operation): string =>
  path
    .replace('/vendors/{id}/offers', `/vendors/${sample.vendorId}/offers`)
    .replaceAll(/\{\w+\}/g, () => unknownId());

test.for(environments)(
  'accepts every example of a body on its route in %s',
  async (environment, { gateway, sandbox, references: [vendors, operators, ofSandbox] }) => {
    const isSandbox = environment === 'Sandbox';
    const own = isSandbox ? sandbox : gateway;
    const { vendorToken, operatorToken, named } = await settle(own);
    for (const operation of operationsOf(isSandbox ? [ofSandbox] : [vendors, operators])) {
      for (const { name, value } of bodiesOf(operation)) {
        const response = await call(own, operation.method as 'POST', urlOf(operation), {
          token: operation.path.startsWith('/operator') ? operatorToken : vendorToken,
          headers: { 'x-service-environment': environment },
          body: named(value),
        });
        expect(
          [400, 403, 413, 415, 500],
          `${operation.at} ${name}: ${response.text}`,
        ).not.toContain(response.status);
      }
    }
  },
);

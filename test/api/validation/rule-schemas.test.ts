import type { ValidateFunction } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect } from 'vitest';
import { createOfferBody } from '../../../api/offers/create-offer-body.ts';
import { orderBody } from '../../../api/orders/order-body.ts';
import { stockBody } from '../../../api/offers/vendor-pushes.ts';
import { agreementBody } from '../../../api/accounts/operator-agreement.ts';
import { newVendorBody } from '../../../api/accounts/operator-vendors.ts';
import { updateOfferBody } from '../../../api/offers/update-offer-body.ts';
import {
  jsonSchemaIn,
  newSchemaValidator,
  readReferences,
  type Reference,
} from '../../support/api/openapi-document.ts';
import { shipTo } from '../orders/order-fixture.ts';
import {
  agreement,
  combinations,
  cost,
  everyField,
  few,
  group,
  id,
  match,
  sale,
  sometimes,
  stock,
  type Grid,
} from './rule-grids.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

const test = gatewayTest.extend('references', { scope: 'file' }, ({ gateway }) =>
  readReferences(gateway.app),
);

const ajv = newSchemaValidator();

test.beforeAll(({ references }) => {
  for (const [index, { document }] of references.entries())
    ajv.addSchema({ ...document, $id: `reference-${index}` });
});

const priced = { cost: 100, costIsVatInclusive: false };
const named = { rawBrandName: 'Brand', rawProductName: 'Product' };

type Case = {
  readonly operationId: string;
  readonly body: v.GenericSchema;
  /** Judged in every combination of their values. */
  readonly grids: readonly Grid[];
  /** What is valid around them. */
  readonly around: object;
  readonly wrap?: (fields: object) => object;
};

const cases: readonly Case[] = [
  { operationId: 'createOffer', body: createOfferBody, grids: [match], around: priced },
  {
    operationId: 'createOffer',
    body: createOfferBody,
    grids: [sale, stock],
    around: { ...priced, ...named },
  },
  {
    operationId: 'updateOffer',
    body: updateOfferBody,
    // A stock field selects the older form, which requires the cost (D74).
    grids: [cost, sale, { ...stock, cost: few.cost, costIsVatInclusive: [true, 'true'] }, few],
    around: {},
  },
  { operationId: 'pushStock', body: stockBody, grids: [stock], around: {} },
  { operationId: 'changeAgreement', body: agreementBody, grids: [agreement], around: {} },
  {
    operationId: 'createVendor',
    body: newVendorBody,
    grids: [agreement],
    around: { name: 'Vendor' },
  },
  {
    operationId: 'createOrder',
    body: orderBody,
    grids: [group],
    around: { lines: [{ variantId: id, quantity: 1 }] },
    wrap: (fields) => ({ shipTo, groups: [fields] }),
  },
];

type References = readonly Reference[];

function publishedBody(references: References, operationId: string): ValidateFunction {
  for (const [index, { operations }] of references.entries()) {
    const operation = operations.find((each) => each.operationId === operationId);
    if (operation === undefined) continue;
    const { $ref } = jsonSchemaIn(operation.node['requestBody']);
    return ajv.compile({ $ref: `reference-${index}${String($ref)}` });
  }
  throw new Error(`no operation ${operationId}`);
}

/** The bodies on which the code and the reference disagree; and how many each way they agree. */
function judge(
  references: References,
  bodies: Iterable<object>,
  { operationId, body }: Pick<Case, 'operationId' | 'body'>,
) {
  const publishes = publishedBody(references, operationId);
  const disputed: string[] = [];
  const count = { taken: 0, refused: 0 };
  for (const sent of bodies) {
    const isTaken = v.is(body, sent);
    count[isTaken ? 'taken' : 'refused'] += 1;
    if (publishes(sent) !== isTaken)
      disputed.push(`${isTaken ? 'taken' : 'refused'}: ${JSON.stringify(sent)}`);
  }
  return { disputed: disputed.slice(0, 10), ...count };
}

const itself = (fields: object): object => fields;

describe('what the reference says of fields together is what the code judges', () => {
  test.for(cases)(
    '$operationId, in every combination of the values that matter',
    (each, { references }) => {
      const { wrap = itself, around } = each;
      for (const grid of each.grids) {
        const bodies = combinations(grid).map((fields) => wrap({ ...around, ...fields }));
        const { disputed, taken, refused } = judge(references, bodies, each);
        expect(disputed).toEqual([]);
        expect(Math.min(taken, refused)).toBeGreaterThan(3);
      }
    },
  );

  const { variantId: _ofCreateOnly, ...editable } = everyField;

  test.for([
    { operationId: 'createOffer', body: createOfferBody, grid: everyField },
    { operationId: 'updateOffer', body: updateOfferBody, grid: editable },
  ])(
    '$operationId, with all of its rules at once',
    ({ operationId, body, grid }, { references }) => {
      const bodies = fc.sample(sometimes(grid), { seed: 20_261_121, numRuns: 20_000 });
      const { disputed, taken, refused } = judge(references, bodies, { operationId, body });
      expect(disputed).toEqual([]);
      expect(taken).toBeGreaterThan(500);
      expect(refused).toBeGreaterThan(1000);
    },
  );
});

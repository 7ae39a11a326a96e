import type { ValidateFunction } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import * as v from 'valibot';
import { expect } from 'vitest';
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
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

const test = gatewayTest.extend('references', { scope: 'file' }, ({ gateway }) =>
  readReferences(gateway.app),
);

const ajv = newSchemaValidator();

test.beforeAll(({ references }) => {
  for (const [index, { document }] of references.entries())
    ajv.addSchema({ ...document, $id: `reference-${index}` });
});

const absent = Symbol('absent');
const id = '019a1f00-1200-7b20-a1b2-c3d4e5f60703';
/** For each field the values that matter to the rules, and those at the edges of its own form. */
type Grid = Readonly<Record<string, readonly unknown[]>>;

const words = [absent, null, '', ' \t', 'Name', 5];
// Third decimals are left out: the schema has no words for them that floats would not break (0.07
// is no multiple of 0.01).
const amounts = [absent, null, 0.01, 0.07, 9_999_999.99, 0, -1, 10_000_000, '5'];
const flags = [absent, null, true, false, 'true'];
const quantities = [absent, null, 0, 1, 1_000_000, 1_000_001, -1, 1.5, '1'];
const percents = [absent, null, 0, 12.5, 100, 100.01, 1000, 1000.01, -1, '5'];

const stock = { declaredStockQuantity: quantities, declaredInStock: flags } satisfies Grid;
const sale = { salePrice: amounts, salePriceIsVatInclusive: flags } satisfies Grid;
const cost = { cost: amounts, costIsVatInclusive: flags } satisfies Grid;
const match = {
  variantId: [absent, null, '', ' ', id, 'x'],
  rawBrandName: words,
  rawProductName: words,
} satisfies Grid;
const few = {
  cost: [absent, null, 1.1],
  costIsVatInclusive: [absent, null, true],
  salePrice: [absent, null, 1.1],
  salePriceIsVatInclusive: [absent, null, false],
  barcode: [absent, null, '4006381333931', '4006381333930', ''],
  declaredStockQuantity: [absent, null, 0, 3],
  declaredInStock: [absent, null, true, false],
} satisfies Grid;
const agreement: Grid = {
  pricingModel: [absent, null, 'CostPlusMargin', 'PercentageOfSale', 'Other'],
  markupPercent: percents,
  commissionPercent: percents,
};
const group: Grid = {
  vendorId: [absent, null, id, 'x'],
  sourcing: [absent, null, true, false],
  carrier: [absent, 'CarrierA', 'Other', 'CarrierX'],
  carrierNameOther: words,
};

/** Every field that the rules on an offer look at. */
const everyField = { ...few, ...match, ...sale, ...stock, ...cost };

/** A body for each combination. */
const combinations = (grid: Grid): readonly object[] =>
  Object.entries(grid).reduce<readonly object[]>(
    (found, [field, values]) =>
      found.flatMap((fields) =>
        values.map((value) => (value === absent ? fields : { ...fields, [field]: value })),
      ),
    [{}],
  );

/**
 * Of the values that a field may have alone; the rules between fields make most of their
 * combinations bad all the same.
 */
const wellFormed: Grid = {
  variantId: [null, ' ', id],
  rawBrandName: [null, '', 'Name'],
  rawProductName: [null, ' \t', 'Name'],
  cost: [0.01, 0.07, 9_999_999.99],
  costIsVatInclusive: [true, false],
  salePrice: [null, 0.07],
  salePriceIsVatInclusive: [null, true, false],
  barcode: [null, '4006381333931'],
  declaredStockQuantity: [null, 0, 1, 1_000_000],
  declaredInStock: [null, true, false],
};

/** Each field is left out at times, and ill-formed at times. */
const sometimes = (grid: Grid) =>
  fc.record(
    Object.fromEntries(
      Object.entries(grid).map(([field, values]) => [
        field,
        fc.oneof(
          { weight: 15, arbitrary: fc.constantFrom(...(wellFormed[field] ?? [])) },
          { weight: 1, arbitrary: fc.constantFrom(...values.filter((value) => value !== absent)) },
        ),
      ]),
    ),
    { requiredKeys: [] },
  );

const priced = { cost: 100, costIsVatInclusive: false };
const named = { rawBrandName: 'Brand', rawProductName: 'Product' };

/** What the code judges the bodies of an operation by, and what is valid around a grid. */
type Case = {
  readonly body: v.GenericSchema;
  readonly around?: object;
  readonly wrap?: (fields: object) => object;
};

const lines = [{ variantId: id, quantity: 1 }];
const inGroup = (fields: object) => ({ shipTo, groups: [fields] });

const cases: readonly (readonly [operationId: string, Case, ...Grid[]])[] = [
  ['createOffer', { body: createOfferBody, around: priced }, match],
  ['createOffer', { body: createOfferBody, around: { ...priced, ...named } }, sale, stock],
  [
    'updateOffer',
    { body: updateOfferBody },
    cost,
    sale,
    // A stock field selects the older form, which requires the cost (D74).
    { ...stock, cost: few.cost, costIsVatInclusive: [true, 'true'] },
    few,
  ],
  ['pushStock', { body: stockBody }, stock],
  ['changeAgreement', { body: agreementBody }, agreement],
  ['createVendor', { body: newVendorBody, around: { name: 'Vendor' } }, agreement],
  ['createOrder', { body: orderBody, around: { lines }, wrap: inGroup }, group],
];

function publishedBody(references: readonly Reference[], operationId: string): ValidateFunction {
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
  references: readonly Reference[],
  operationId: string,
  body: v.GenericSchema,
  bodies: readonly object[],
) {
  const publishes = publishedBody(references, operationId);
  const taken = bodies.filter((sent) => v.is(body, sent));
  const isTaken = new Set(taken);
  const disputed = bodies
    .filter((sent) => publishes(sent) !== isTaken.has(sent))
    .map((sent) => `${isTaken.has(sent) ? 'taken' : 'refused'}: ${JSON.stringify(sent)}`);
  const refused = bodies.length - taken.length;
  return { disputed: disputed.slice(0, 10), taken: taken.length, refused };
}

test.for(cases)(
  '%#: judges %s in the reference as in the code, in all combinations of the values that matter',
  ([operationId, given, ...grids], { references }) => {
    const { body, around, wrap = (fields: object) => fields } = given;
    for (const grid of grids) {
      const bodies = combinations(grid).map((fields) => wrap({ ...around, ...fields }));
      const { disputed, taken, refused } = judge(references, operationId, body, bodies);
      expect(disputed).toEqual([]);
      expect(Math.min(taken, refused)).toBeGreaterThan(3);
    }
  },
);

const { variantId: _ofCreateOnly, ...editable } = everyField;

test.for([
  ['createOffer', createOfferBody, everyField],
  ['updateOffer', updateOfferBody, editable],
] as const)(
  'judges %s in the reference as in the code, with all of its rules at once',
  ([operationId, body, grid], { references }) => {
    const bodies = fc.sample(sometimes(grid), { seed: 20_261_121, numRuns: 20_000 });
    const { disputed, taken, refused } = judge(references, operationId, body, bodies);
    expect(disputed).toEqual([]);
    expect(taken).toBeGreaterThan(500);
    expect(refused).toBeGreaterThan(1000);
  },
);

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import * as fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOfferBody } from '../../api/create-offer-body.ts';
import { orderBody } from '../../api/order-body.ts';
import { stockBody } from '../../api/routes/offers-stock.ts';
import { agreementBody } from '../../api/routes/operator/agreement.ts';
import { newVendorBody } from '../../api/routes/operator/vendors.ts';
import { updateOfferBody } from '../../api/update-offer-body.ts';
import { isGtin } from '../../domain/gtin.ts';
import { readReference, type Reference } from './document.ts';
import { shipTo } from './order-bench.ts';
import { startGateway, type Gateway } from './support.ts';

let gateway: Gateway;
let reference: Reference;
const ajv = new Ajv2020({ strict: false, multipleOfPrecision: 6 });
formats.default(ajv);
ajv.addFormat('gtin', isGtin);

beforeAll(async () => {
  gateway = await startGateway();
  reference = await readReference(gateway.app);
  ajv.addSchema({ ...reference.document, $id: 'reference' });
});
afterAll(() => gateway.close());

const absent = Symbol('absent');
const id = '019a1f00-1200-7b20-a1b2-c3d4e5f60703';
/** For each field the values that matter to the rules, and those at the edges of its own form. */
type Grid = Readonly<Record<string, readonly unknown[]>>;

const words = [absent, null, '', ' \t', 'Name', 5];
const amounts = [absent, null, 0.01, 0.07, 9_999_999.99, 0, -1, 1.005, 10_000_000, '5'];
const flags = [absent, null, true, false, 'true'];
const quantities = [absent, null, 0, 1, 1_000_000, 1_000_001, -1, 1.5, '1'];
const percents = [absent, null, 0, 12.5, 100, 100.01, 1000, 1000.01, -1, 1.234, '5'];

const stock: Grid = { declaredStockQuantity: quantities, declaredInStock: flags };
const sale: Grid = { salePrice: amounts, salePriceIsVatInclusive: flags };
const cost: Grid = { cost: amounts, costIsVatInclusive: flags };
const match: Grid = {
  variantId: [absent, null, '', ' ', id, 'x'],
  rawBrandName: words,
  rawProductName: words,
};
const few: Grid = {
  cost: [absent, null, 1.1],
  costIsVatInclusive: [absent, null, true],
  salePrice: [absent, null, 1.1],
  salePriceIsVatInclusive: [absent, null, false],
  barcode: [absent, null, '4006381333931', '4006381333930', ''],
  declaredStockQuantity: [absent, null, 0, 3],
  declaredInStock: [absent, null, true, false],
};
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
  { operationId: 'updateOffer', body: updateOfferBody, grids: [cost, sale, stock, few], around: {} },
  { operationId: 'pushStock', body: stockBody, grids: [stock], around: {} },
  { operationId: 'changeAgreement', body: agreementBody, grids: [agreement], around: {} },
  { operationId: 'createVendor', body: newVendorBody, grids: [agreement], around: { name: 'Vendor' } },
  {
    operationId: 'createOrder',
    body: orderBody,
    grids: [group],
    around: { lines: [{ variantId: id, quantity: 1 }] },
    wrap: (fields) => ({ shipTo, groups: [fields] }),
  },
];

const combinations = (grid: Grid): readonly object[] =>
  Object.entries(grid).reduce<readonly object[]>(
    (found, [field, values]) =>
      found.flatMap((fields) =>
        values.map((value) => (value === absent ? fields : { ...fields, [field]: value })),
      ),
    [{}],
  );

function publishedBody(operationId: string): ValidateFunction {
  const operation = reference.operations.find((each) => each.operationId === operationId);
  if (operation === undefined) throw new Error(`no operation ${operationId}`);
  const { path, method } = operation;
  const at = `/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${method.toLowerCase()}`;
  return ajv.compile({ $ref: `reference#${at}/requestBody/content/application~1json/schema` });
}

/** The bodies on which the code and the reference disagree; and how many each way they agree. */
function judge(bodies: Iterable<object>, { operationId, body }: Pick<Case, 'operationId' | 'body'>) {
  const publishes = publishedBody(operationId);
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

/** Often absent: of many fields at once, few bodies would be good otherwise. */
const anyOf = (grid: Grid) =>
  fc.record(
    Object.fromEntries(
      Object.entries(grid).map(([field, values]) => [
        field,
        fc.constantFrom(...values.filter((value) => value !== absent)),
      ]),
    ),
    { requiredKeys: [] },
  );

describe('what the reference says of fields together is what the code judges', () => {
  test.each(cases)('$operationId, in every combination of the values that matter', (each) => {
    const { wrap = itself, around } = each;
    for (const grid of each.grids) {
      const bodies = combinations(grid).map((fields) => wrap({ ...around, ...fields }));
      const { disputed, taken, refused } = judge(bodies, each);
      expect(disputed).toEqual([]);
      expect(Math.min(taken, refused)).toBeGreaterThan(3);
    }
  });

  test.each([
    { operationId: 'createOffer', body: createOfferBody, grid: { ...match, ...sale, ...stock, ...cost } },
    { operationId: 'updateOffer', body: updateOfferBody, grid: { ...few, ...match, ...sale, ...stock } },
  ])('$operationId, with all of its rules at once', ({ operationId, body, grid }) => {
    const { variantId: _readOnly, ...editable } = grid;
    const fields = operationId === 'createOffer' ? grid : editable;
    const bodies = fc.sample(anyOf(fields), { seed: 20_261_121, numRuns: 20_000 });
    const { disputed, taken, refused } = judge(bodies, { operationId, body });
    expect(disputed).toEqual([]);
    expect(taken).toBeGreaterThan(20);
    expect(refused).toBeGreaterThan(1000);
  });
});

import * as fc from 'fast-check';

/** What bodies are made of where the rules between their fields are tried. */

const absent = Symbol('absent');
export const id = '019a1f00-1200-7b20-a1b2-c3d4e5f60703';
/** For each field the values that matter to the rules, and those at the edges of its own form. */
export type Grid = Readonly<Record<string, readonly unknown[]>>;

const words = [absent, null, '', ' \t', 'Name', 5];
// Third decimals are left out: the schema has no words for them that floats would not break (0.07
// is no multiple of 0.01).
const amounts = [absent, null, 0.01, 0.07, 9_999_999.99, 0, -1, 10_000_000, '5'];
const flags = [absent, null, true, false, 'true'];
const quantities = [absent, null, 0, 1, 1_000_000, 1_000_001, -1, 1.5, '1'];
const percents = [absent, null, 0, 12.5, 100, 100.01, 1000, 1000.01, -1, '5'];

export const stock = { declaredStockQuantity: quantities, declaredInStock: flags } satisfies Grid;
export const sale = { salePrice: amounts, salePriceIsVatInclusive: flags } satisfies Grid;
export const cost = { cost: amounts, costIsVatInclusive: flags } satisfies Grid;
export const match = {
  variantId: [absent, null, '', ' ', id, 'x'],
  rawBrandName: words,
  rawProductName: words,
} satisfies Grid;
export const few = {
  cost: [absent, null, 1.1],
  costIsVatInclusive: [absent, null, true],
  salePrice: [absent, null, 1.1],
  salePriceIsVatInclusive: [absent, null, false],
  barcode: [absent, null, '4006381333931', '4006381333930', ''],
  declaredStockQuantity: [absent, null, 0, 3],
  declaredInStock: [absent, null, true, false],
} satisfies Grid;
export const agreement: Grid = {
  pricingModel: [absent, null, 'CostPlusMargin', 'PercentageOfSale', 'Other'],
  markupPercent: percents,
  commissionPercent: percents,
};
export const group: Grid = {
  vendorId: [absent, null, id, 'x'],
  sourcing: [absent, null, true, false],
  carrier: [absent, 'CarrierA', 'Other', 'CarrierX'],
  carrierNameOther: words,
};

/** Every field that the rules on an offer look at. */
export const everyField = { ...few, ...match, ...sale, ...stock, ...cost };

/** A body for each combination. */
export const combinations = (grid: Grid): readonly object[] =>
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
export const sometimes = (grid: Grid) =>
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

import * as v from 'valibot';
import { stockContradicts } from '../../domain/offers/stock.ts';
import { described } from '../validation/described.ts';
import { crossFieldRule } from '../validation/field-rules.ts';
import { optionalField, sar, stockQuantity } from '../validation/fields.ts';
import { sample } from '../validation/sample.ts';

/** What vendors declare of an offer, in the bodies of creations, edits and pushes. */

export const barcodeFormats = 'GTIN-8, -12, -13 or -14 (EAN, UPC)';

/**
 * The product in the vendor's words. The notes follow the descriptions, `nameNote` of its names.
 */
export const rawTexts = <TSchema extends v.GenericSchema>(
  textOf: (max: number, kind?: 'name') => TSchema,
  { note = '', nameNote = '' } = {},
) => ({
  rawBrandName: described(textOf(255, 'name'), `The brand in your words.${nameNote}`, sample.brand),
  rawProductName: described(
    textOf(255, 'name'),
    `The product name in your words.${nameNote}`,
    sample.product,
  ),
  rawConcentration: described(
    textOf(100, 'name'),
    `The concentration in your words.${note}`,
    sample.concentration,
  ),
  rawDescription: described(
    textOf(4000),
    `A description in your words.${note}`,
    sample.description,
  ),
});

/** Description and example of an amount. */
export const costText = [
  'The wholesale cost in SAR: above 0, at most 9,999,999.99, with at most two decimals (round ' +
    'it to halalas). `costIsVatInclusive` says whether it includes VAT.',
  241.5,
] as const;
const salePriceText = [
  'The final sale price in SAR, including the whole commission: above 0, at most 9,999,999.99, ' +
    'with at most two decimals (round it to halalas). Only for agreements with the model ' +
    '`PercentageOfSale`. `salePriceIsVatInclusive` says whether it includes VAT.',
  343.85,
] as const;
const vatFlagText =
  'Whether the amount includes VAT. The service computes the net amount and the VAT from it. The ' +
  'flag has no default: send it with every amount.';

export const vatFlag = described(v.boolean(), vatFlagText, true);
export const optionalVatFlag = described(optionalField(v.boolean()), vatFlagText, true);

/** The sale price of a creation or an edit. */
export const optionalSaleFields = {
  salePrice: described(optionalField(sar), ...salePriceText),
  salePriceIsVatInclusive: optionalVatFlag,
};

export const costFields = { cost: described(sar, ...costText), costIsVatInclusive: vatFlag };
export const salePriceFields = {
  salePrice: described(sar, ...salePriceText),
  salePriceIsVatInclusive: vatFlag,
};

/** The fields of a stock push and of an item of a bulk one. */
export const stockFields = {
  declaredInStock: described(v.boolean(), 'Whether the product is in stock.', true),
  declaredStockQuantity: described(
    optionalField(stockQuantity),
    'The number of pieces, 0 to 1,000,000. Out of stock: 0, or omit it. In stock: above 0, or ' +
      'omit it to keep the stored count.',
    18,
  ),
};

type Stock = {
  readonly declaredStockQuantity?: number | null | undefined;
  readonly declaredInStock?: boolean | null | undefined;
};

/** Declared stock and quantity must agree, on every route that takes them. */
export const stockAgrees = <TBody extends Record<string, unknown> & Stock>() =>
  crossFieldRule<TBody>(
    ['declaredStockQuantity', 'declaredInStock'],
    'declaredStockQuantity',
    'stock_mismatch: must be 0 or omitted when out of stock, above 0 or omitted when in stock',
    ({ declaredInStock = null, declaredStockQuantity = null }) =>
      !stockContradicts(declaredInStock, declaredStockQuantity),
  );

/** The same rule as JSON Schema. */
export const stockAgreesSchema = {
  anyOf: [
    { properties: { declaredStockQuantity: { type: 'null' } } },
    { properties: { declaredInStock: { type: 'null' } } },
    { properties: { declaredInStock: { const: true }, declaredStockQuantity: { minimum: 1 } } },
    { properties: { declaredInStock: { const: false }, declaredStockQuantity: { maximum: 0 } } },
  ],
};

import * as v from 'valibot';
import { described } from '../validation/described.ts';
import { optionalField, sar, stockQuantity } from '../validation/fields.ts';
import { declaredText } from './offer-texts.ts';

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

export const costFields = {
  cost: described(sar, ...declaredText.cost),
  costIsVatInclusive: described(v.boolean(), ...declaredText.costIsVatInclusive),
};

export const salePriceFields = {
  salePrice: described(sar, ...declaredText.salePrice),
  salePriceIsVatInclusive: described(v.boolean(), ...declaredText.salePriceIsVatInclusive),
};

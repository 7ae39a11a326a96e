import { stockContradicts } from '../../domain/offers/stock.ts';
import { crossFieldRule } from '../validation/field-rules.ts';

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

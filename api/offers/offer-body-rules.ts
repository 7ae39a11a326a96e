import { stockContradicts } from '../../domain/offers/stock.ts';
import { isPresent, presenceRule, rule } from '../validation/field-rules.ts';

/** Rules between the fields of an offer's body, shared by the routes that take them. */

type Cost = { readonly cost: number | null; readonly costIsVatInclusive: boolean | null };
type SalePrice = {
  readonly salePrice: number | null;
  readonly salePriceIsVatInclusive: boolean | null;
};
type Stock = {
  readonly declaredStockQuantity: number | null;
  readonly declaredInStock: boolean | null;
};

/** The VAT flags have no default: a price comes with its flag, and a flag with its price (D25). */
export const costNeedsFlag = <TBody extends Record<string, unknown> & Cost>() =>
  presenceRule<TBody>(
    'costIsVatInclusive',
    'required: is required when cost is present',
    ({ cost, costIsVatInclusive }) => !isPresent(cost) || isPresent(costIsVatInclusive),
  );

export const flagNeedsCost = <TBody extends Record<string, unknown> & Cost>() =>
  presenceRule<TBody>(
    'cost',
    'required: is required when costIsVatInclusive is present',
    ({ cost, costIsVatInclusive }) => isPresent(cost) || !isPresent(costIsVatInclusive),
  );

export const salePriceNeedsFlag = <TBody extends Record<string, unknown> & SalePrice>() =>
  presenceRule<TBody>(
    'salePriceIsVatInclusive',
    'required: is required when salePrice is present',
    ({ salePrice, salePriceIsVatInclusive }) =>
      !isPresent(salePrice) || isPresent(salePriceIsVatInclusive),
  );

export const flagNeedsSalePrice = <TBody extends Record<string, unknown> & SalePrice>() =>
  presenceRule<TBody>(
    'salePrice',
    'required: is required when salePriceIsVatInclusive is present',
    ({ salePrice, salePriceIsVatInclusive }) =>
      isPresent(salePrice) || !isPresent(salePriceIsVatInclusive),
  );

/** The stock route's rule, wherever stock is declared. */
export const stockAgrees = <TBody extends Record<string, unknown> & Stock>() =>
  rule<TBody>(
    ['declaredStockQuantity', 'declaredInStock'],
    'declaredStockQuantity',
    'stock_mismatch: must be 0 or omitted when out of stock, above 0 or omitted when in stock',
    ({ declaredInStock, declaredStockQuantity }) =>
      !stockContradicts(declaredInStock, declaredStockQuantity),
  );

import { expect, test } from 'vitest';
import { initialStock, stockContradicts } from '../../../domain/offers/stock.ts';

/** declaredInStock, quantity → contradiction, and what is stored when there is none. */
const rows = [
  {
    inStock: null,
    quantity: null,
    stored: { declaredInStock: false, declaredStockQuantity: null },
  },
  { inStock: null, quantity: 0, stored: { declaredInStock: false, declaredStockQuantity: 0 } },
  { inStock: null, quantity: 7, stored: { declaredInStock: true, declaredStockQuantity: 7 } },
  { inStock: false, quantity: null, stored: { declaredInStock: false, declaredStockQuantity: 0 } },
  { inStock: false, quantity: 0, stored: { declaredInStock: false, declaredStockQuantity: 0 } },
  { inStock: false, quantity: 1, stored: null },
  { inStock: true, quantity: null, stored: { declaredInStock: true, declaredStockQuantity: null } },
  { inStock: true, quantity: 0, stored: null },
  { inStock: true, quantity: 1, stored: { declaredInStock: true, declaredStockQuantity: 1 } },
];

test.each(rows)(
  'declaredInStock $inStock with quantity $quantity contradicts itself or is stored as $stored',
  ({ inStock, quantity, stored }) => {
    expect(stockContradicts(inStock, quantity)).toBe(stored === null);
    if (stored !== null) expect(initialStock(inStock, quantity)).toEqual(stored);
  },
);

import { expect, test } from 'vitest';
import { initialStock, stockAfter, stockContradicts } from '../../../domain/offers/stock.ts';

const stockOf = ([declaredInStock, declaredStockQuantity]: readonly [boolean, number | null]) => ({
  declaredInStock,
  declaredStockQuantity,
});

test.each([
  { declared: [null, null], stored: [false, null] },
  { declared: [null, 0], stored: [false, 0] },
  { declared: [null, 7], stored: [true, 7] },
  { declared: [false, null], stored: [false, 0] },
  { declared: [false, 0], stored: [false, 0] },
  { declared: [false, 1], stored: null },
  { declared: [true, null], stored: [true, null] },
  { declared: [true, 0], stored: null },
  { declared: [true, 1], stored: [true, 1] },
] as const)('stores $declared as $stored for a new offer', ({ declared, stored }) => {
  const [inStock, quantity] = declared;
  expect(stockContradicts(inStock, quantity)).toBe(stored === null);
  if (stored !== null)
    expect(initialStock({ declaredInStock: inStock, declaredStockQuantity: quantity })).toEqual(
      stockOf(stored),
    );
});

test.each([
  { stored: [true, 5], declared: [true, 8], after: [true, 8] },
  { stored: [true, 5], declared: [true, null], after: [true, 5] },
  { stored: [true, null], declared: [true, null], after: [true, null] },
  { stored: [true, null], declared: [true, 1], after: [true, 1] },
  { stored: [false, 0], declared: [true, null], after: [true, null] },
  { stored: [false, null], declared: [true, null], after: [true, null] },
  { stored: [false, null], declared: [false, null], after: [false, 0] },
  { stored: [true, 5], declared: [false, null], after: [false, 0] },
  { stored: [true, null], declared: [false, 0], after: [false, 0] },
  { stored: [false, 0], declared: [null, 7], after: [true, 7] },
  { stored: [true, 5], declared: [null, 0], after: [false, 0] },
] as const)('stores $declared over $stored as $after', ({ stored, declared, after }) => {
  const [declaredInStock, declaredStockQuantity] = declared;
  expect(stockAfter(stockOf(stored), { declaredInStock, declaredStockQuantity })).toEqual(
    stockOf(after),
  );
});

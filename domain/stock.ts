/** Declared stock as it is stored. A null quantity with declaredInStock true: in stock, count unknown. */
export type Stock = { readonly declaredInStock: boolean; readonly declaredStockQuantity: number | null };

const inStock = (declaredInStock: boolean | null, quantity: number | null): boolean =>
  declaredInStock ?? (quantity ?? 0) > 0;

/** The stock route's rule: the quantity is 0 or omitted when out of stock, above 0 or omitted when in stock. */
export function stockContradicts(declaredInStock: boolean | null, quantity: number | null): boolean {
  if (quantity === null) return false;
  return inStock(declaredInStock, quantity) ? quantity === 0 : quantity > 0;
}

/**
 * Stock of a new offer, from a declaration that does not contradict itself: declaredInStock omitted means a quantity
 * above 0 (D22), out of stock without a quantity stores 0 (D27a), nothing said at all stays unknown.
 */
export function initialStock(declaredInStock: boolean | null, quantity: number | null): Stock {
  if (declaredInStock === false) return { declaredInStock: false, declaredStockQuantity: 0 };
  return { declaredInStock: inStock(declaredInStock, quantity), declaredStockQuantity: quantity };
}

/** Declared stock as it is stored. A null quantity with declaredInStock true: in stock, count unknown. */
export type Stock = {
  readonly declaredInStock: boolean;
  readonly declaredStockQuantity: number | null;
};

const inStock = (declaredInStock: boolean | null, quantity: number | null): boolean =>
  declaredInStock ?? (quantity ?? 0) > 0;

/** The stock route's rule: the quantity is 0 or omitted when out of stock, above 0 or omitted when in stock. */
export function stockContradicts(
  declaredInStock: boolean | null,
  quantity: number | null,
): boolean {
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

/** What a vendor says about stock; null where it says nothing. Not both are null, and they do not contradict each other. */
export type StockDeclaration = {
  readonly declaredInStock: boolean | null;
  readonly declaredStockQuantity: number | null;
};

/**
 * Stored stock after a declaration (D27a): out of stock stores 0; in stock without a quantity keeps a stored one above
 * 0, else null.
 */
export function stockAfter(stored: Stock, declared: StockDeclaration): Stock {
  const quantity = declared.declaredStockQuantity;
  const declaredInStock = inStock(declared.declaredInStock, quantity);
  if (!declaredInStock) return { declaredInStock, declaredStockQuantity: 0 };
  const kept = (stored.declaredStockQuantity ?? 0) > 0 ? stored.declaredStockQuantity : null;
  return { declaredInStock, declaredStockQuantity: quantity ?? kept };
}

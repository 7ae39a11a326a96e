/** Declared stock as stored. In stock with a null quantity means an unknown count. */
export type Stock = {
  readonly declaredInStock: boolean;
  readonly declaredStockQuantity: number | null;
};

const inStock = (declaredInStock: boolean | null, quantity: number | null): boolean =>
  declaredInStock ?? (quantity ?? 0) > 0;

/** The stock rule: a quantity is 0 when out of stock and above 0 when in stock. */
export function stockContradicts(
  declaredInStock: boolean | null,
  quantity: number | null,
): boolean {
  if (quantity === null) return false;
  return inStock(declaredInStock, quantity) ? quantity === 0 : quantity > 0;
}

/**
 * The stock of a new offer. Without declaredInStock the quantity decides; out of stock stores
 * 0; without either, the quantity is unknown.
 */
export function initialStock(declaredInStock: boolean | null, quantity: number | null): Stock {
  if (declaredInStock === false) return { declaredInStock: false, declaredStockQuantity: 0 };
  return { declaredInStock: inStock(declaredInStock, quantity), declaredStockQuantity: quantity };
}

/** Declared stock: at least one is not null, and {@link stockContradicts} is false. */
export type StockDeclaration = {
  readonly declaredInStock: boolean | null;
  readonly declaredStockQuantity: number | null;
};

/**
 * The stock after a declaration: out of stock stores 0; in stock without a quantity keeps a stored
 * quantity above 0, else null.
 */
export function stockAfter(stored: Stock, declared: StockDeclaration): Stock {
  const quantity = declared.declaredStockQuantity;
  const declaredInStock = inStock(declared.declaredInStock, quantity);
  if (!declaredInStock) return { declaredInStock, declaredStockQuantity: 0 };
  const keptQuantity =
    (stored.declaredStockQuantity ?? 0) > 0 ? stored.declaredStockQuantity : null;
  return { declaredInStock, declaredStockQuantity: quantity ?? keptQuantity };
}

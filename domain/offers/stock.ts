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

/** A declaration, for which {@link stockContradicts} is false. */
export type StockDeclaration = {
  readonly declaredInStock: boolean | null;
  readonly declaredStockQuantity: number | null;
};

/** The stock that a declaration stores: 0 when out of stock. A null quantity is not declared. */
export function declaredStock(declared: StockDeclaration): Stock {
  const { declaredStockQuantity } = declared;
  const declaredInStock = inStock(declared.declaredInStock, declaredStockQuantity);
  return { declaredInStock, declaredStockQuantity: declaredInStock ? declaredStockQuantity : 0 };
}

/**
 * The stock of a new offer. Without declaredInStock the quantity decides; without either, the
 * quantity is unknown.
 */
export const initialStock = (declared: StockDeclaration): Stock =>
  declared.declaredInStock === null && declared.declaredStockQuantity === null
    ? { declaredInStock: false, declaredStockQuantity: null }
    : declaredStock(declared);

/** The stock after a declaration. An undeclared quantity keeps a stored one above 0. */
export function stockAfter(stored: Stock, declared: StockDeclaration): Stock {
  const after = declaredStock(declared);
  const kept = (stored.declaredStockQuantity ?? 0) > 0 ? stored.declaredStockQuantity : null;
  return { ...after, declaredStockQuantity: after.declaredStockQuantity ?? kept };
}

const form = /^ord_([\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12})$/;

/** The id of an order in responses; never a partner's reference. */
export const orderGlobalId = (orderId: string): string => `ord_${orderId}`;

/** The order id of an `orderGlobalId`; null for a malformed one. */
export const orderIdOf = (globalId: string): string | null =>
  form.exec(globalId)?.[1]?.toLowerCase() ?? null;

/**
 * A search by recipient looks at this number of the newest orders. No index has the names, because
 * every order would pay for a search that staff rarely make.
 */
export const searchedOrdersMax = 10_000;

const form = /^ord_([\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12})$/;

/** The canonical id of an order, as vendors and operators see it. Never a partner's reference. */
export const orderGlobalId = (orderId: string): string => `ord_${orderId}`;

/** The order's own id; null for what names no order. */
export const orderIdOf = (globalId: string): string | null =>
  form.exec(globalId)?.[1]?.toLowerCase() ?? null;

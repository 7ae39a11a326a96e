/** Reviewer: offers. Operations: orders, returns and webhooks. Admin: everything. */
export const operatorRoles = ['Reviewer', 'Operations', 'Admin'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** Admin has every role. */
export const hasRole = (roles: readonly OperatorRole[], needed: OperatorRole): boolean =>
  roles.includes(needed) || roles.includes('Admin');

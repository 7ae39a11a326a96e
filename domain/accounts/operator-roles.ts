/** Reviewer: offers. Operations: orders, returns and webhooks. Admin: everything. */
export const operatorRoles = ['Reviewer', 'Operations', 'Admin'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** Either of them reads what both need for their work. */
export const staffRoles = ['Reviewer', 'Operations'] as const;

/** Admin has every role. */
export const hasRole = (roles: readonly OperatorRole[], needed: OperatorRole): boolean =>
  roles.includes(needed) || roles.includes('Admin');

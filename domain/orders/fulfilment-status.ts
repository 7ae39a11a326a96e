/** Every status of a fulfilment group (part 2). */
export const groupStatuses = [
  'Pending',
  'Packed',
  'Shipped',
  'Delivered',
  'Cancelled',
  'Returned',
  'PendingSourcing',
] as const;
export type GroupStatus = (typeof groupStatuses)[number];

export const groupActions = ['assign', 'pack', 'ship', 'deliver', 'cancel', 'return'] as const;
export type GroupAction = (typeof groupActions)[number];

export type GroupTransition = {
  readonly from: readonly GroupStatus[];
  readonly action: GroupAction;
  readonly to: GroupStatus;
  /** The time that the action sets. */
  readonly sets: 'packedAt' | 'shippedAt' | 'deliveredAt' | null;
};

/**
 * The fulfilment group's state machine (part 3 shows none). Operators make each move, and
 * vendors pack and ship.
 */
export const groupTransitions: readonly GroupTransition[] = [
  // The group becomes a vendor's, who gets vendor.order.assigned.
  { from: ['PendingSourcing'], action: 'assign', to: 'Pending', sets: null },
  { from: ['Pending'], action: 'pack', to: 'Packed', sets: 'packedAt' },
  { from: ['Pending', 'Packed'], action: 'ship', to: 'Shipped', sets: 'shippedAt' },
  { from: ['Shipped'], action: 'deliver', to: 'Delivered', sets: 'deliveredAt' },
  { from: ['Pending', 'Packed', 'PendingSourcing'], action: 'cancel', to: 'Cancelled', sets: null },
  { from: ['Delivered'], action: 'return', to: 'Returned', sets: null },
];

/** The table's row for an action; null when there is none. */
export const findGroupTransition = (
  from: GroupStatus,
  action: GroupAction,
): GroupTransition | null =>
  groupTransitions.find((row) => row.action === action && row.from.includes(from)) ?? null;

/** The action that leads to a status an operator sets; null when only an assignment does. */
export const actionTowards = (status: GroupStatus): Exclude<GroupAction, 'assign'> | null => {
  const row = groupTransitions.find(({ to, action }) => to === status && action !== 'assign');
  return row === undefined || row.action === 'assign' ? null : row.action;
};

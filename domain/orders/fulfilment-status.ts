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
  /** Vendors have a route for the action; operators set the status. */
  readonly by: 'operator' | 'vendor and operator';
  /** The time that the action sets. */
  readonly sets: 'packedAt' | 'shippedAt' | 'deliveredAt' | null;
};

type Row = readonly [
  readonly GroupStatus[],
  GroupAction,
  GroupStatus,
  GroupTransition['by'],
  GroupTransition['sets'],
];

/** The fulfilment group's state machine (D39; part 3 shows none): from, action, to, by, sets. */
const rows: readonly Row[] = [
  // The group becomes a vendor's, who gets vendor.order.assigned.
  [['PendingSourcing'], 'assign', 'Pending', 'operator', null],
  [['Pending'], 'pack', 'Packed', 'vendor and operator', 'packedAt'],
  [['Pending', 'Packed'], 'ship', 'Shipped', 'vendor and operator', 'shippedAt'],
  [['Shipped'], 'deliver', 'Delivered', 'operator', 'deliveredAt'],
  [['Pending', 'Packed', 'PendingSourcing'], 'cancel', 'Cancelled', 'operator', null],
  [['Delivered'], 'return', 'Returned', 'operator', null],
];

export const groupTransitions: readonly GroupTransition[] = rows.map(
  ([from, action, to, by, sets]) => ({ from, action, to, by, sets }),
);

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

/** Every status a fulfilment group can have (part 2). */
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
  /** Who may: the vendor has a route for it, and operators set the status. */
  readonly by: 'operator' | 'vendor and operator';
  readonly also: string;
};

/** The fulfilment group's state machine (D39; the specification shows none). What has no row is refused. */
export const groupTransitions: readonly GroupTransition[] = [
  {
    from: ['PendingSourcing'],
    action: 'assign',
    to: 'Pending',
    by: 'operator',
    also: 'the group becomes a vendor’s, who is told by vendor.order.assigned',
  },
  { from: ['Pending'], action: 'pack', to: 'Packed', by: 'vendor and operator', also: 'packedAt' },
  {
    from: ['Pending', 'Packed'],
    action: 'ship',
    to: 'Shipped',
    by: 'vendor and operator',
    also: 'shippedAt',
  },
  { from: ['Shipped'], action: 'deliver', to: 'Delivered', by: 'operator', also: 'deliveredAt' },
  {
    from: ['Pending', 'Packed', 'PendingSourcing'],
    action: 'cancel',
    to: 'Cancelled',
    by: 'operator',
    also: '',
  },
  { from: ['Delivered'], action: 'return', to: 'Returned', by: 'operator', also: '' },
];

/** The table's row for an action; null when it has none. */
export const findGroupTransition = (
  from: GroupStatus,
  action: GroupAction,
): GroupTransition | null =>
  groupTransitions.find((row) => row.action === action && row.from.includes(from)) ?? null;

/** The action by which an operator who sets this status moves a group; null where none but an assignment leads there. */
export const actionTowards = (status: GroupStatus): Exclude<GroupAction, 'assign'> | null => {
  const row = groupTransitions.find(({ to, action }) => to === status && action !== 'assign');
  return row === undefined || row.action === 'assign' ? null : row.action;
};

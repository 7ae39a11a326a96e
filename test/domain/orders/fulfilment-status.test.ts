import { describe, expect, test } from 'vitest';
import {
  actionTowards,
  findGroupTransition,
  groupActions,
  groupStatuses,
  groupTransitions,
  type GroupStatus,
} from '../../../domain/orders/fulfilment-status.ts';
import { groupStatusesOfPart2, movesBesidesAssign, movesOfD39 } from './group-builders.ts';

const actions = ['assign', ...movesBesidesAssign] as const;

test('there are the seven statuses of the specification', () => {
  expect(groupStatuses).toEqual(groupStatusesOfPart2);
});

test('there are these six actions', () => {
  expect(groupActions).toEqual(actions);
});

describe.each(groupStatusesOfPart2)('%s', (status) => {
  test.each(actions)('%s leads where D39 says, or nowhere', (action) => {
    expect(findGroupTransition(status, action)?.to).toBe(movesOfD39[status][action]);
  });
});

test('what has no row is null', () => {
  expect(findGroupTransition('Cancelled', 'ship')).toBeNull();
});

test('no two rows speak of one case', () => {
  const cases = groupTransitions.flatMap(({ from, action }) =>
    from.map((status) => `${status} ${action}`),
  );
  expect(cases).toHaveLength(new Set(cases).size);
});

test('a vendor packs and ships; all else is the operator’s; the kept times are named', () => {
  const kept = groupTransitions.map(({ action, by, sets }) => [action, by, sets]);
  expect(kept).toEqual([
    ['assign', 'operator', null],
    ['pack', 'vendor and operator', 'packedAt'],
    ['ship', 'vendor and operator', 'shippedAt'],
    ['deliver', 'operator', 'deliveredAt'],
    ['cancel', 'operator', null],
    ['return', 'operator', null],
  ]);
});

/**
 * What an operator does by setting a status; no one sets `PendingSourcing`, and an assignment alone
 * makes `Pending`.
 */
const towards: Readonly<Record<GroupStatus, string | null>> = {
  Pending: null,
  Packed: 'pack',
  Shipped: 'ship',
  Delivered: 'deliver',
  Cancelled: 'cancel',
  Returned: 'return',
  PendingSourcing: null,
};

test.each(groupStatusesOfPart2)('setting %s is one action, or none', (status) => {
  expect(actionTowards(status)).toBe(towards[status]);
});

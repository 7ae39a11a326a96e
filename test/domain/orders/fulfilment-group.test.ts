import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  assignGroup,
  carriers,
  moveGroup,
  setGroupStatus,
  type FulfilmentGroup,
} from '../../../domain/orders/fulfilment-group.ts';
import {
  groupActions,
  groupStatuses,
  groupTransitions,
  type GroupAction,
  type GroupStatus,
} from '../../../domain/orders/fulfilment-status.ts';
import { deepFrozen, expectFailure, expectValue, now } from '../offers/offer-builders.ts';
import {
  groupIn,
  groupStatusesOfPart2,
  invalidGroupTransition,
  movesBesidesAssign,
  movesOfD39,
} from './group-builders.ts';

test('statuses, actions and carriers are those of the specification', () => {
  expect(groupStatuses).toEqual(groupStatusesOfPart2);
  expect(groupActions).toEqual(['assign', ...movesBesidesAssign]);
  expect(carriers).toEqual(['CarrierA', 'CarrierB', 'CarrierC', 'Other']);
});

test('a vendor packs and ships; operators do the rest', () => {
  expect(groupTransitions.map(({ action, by }) => [action, by])).toEqual([
    ['assign', 'operator'],
    ['pack', 'vendor and operator'],
    ['ship', 'vendor and operator'],
    ['deliver', 'operator'],
    ['cancel', 'operator'],
    ['return', 'operator'],
  ]);
});

/** What a move writes besides the status. */
const written: Readonly<Record<GroupAction, Partial<FulfilmentGroup>>> = {
  assign: {},
  pack: { packedAt: now },
  ship: { shippedAt: now },
  deliver: { deliveredAt: now },
  cancel: {},
  return: {},
};
/** What an operator asks for by setting a status, and how a refusal names it. */
const asked: Readonly<Record<GroupStatus, Exclude<GroupAction, 'assign'> | `set ${string}`>> = {
  Pending: 'set Pending',
  Packed: 'pack',
  Shipped: 'ship',
  Delivered: 'deliver',
  Cancelled: 'cancel',
  Returned: 'return',
  PendingSourcing: 'set PendingSourcing',
};

describe.each(groupStatusesOfPart2)('from %s', (status) => {
  const before = deepFrozen(groupIn(status));
  const refused = (action: string) => ({
    code: invalidGroupTransition,
    details: { status, action },
  });

  test.each(movesBesidesAssign)(
    '%s moves as D39 says and sets its time, or is refused',
    (action) => {
      const to = movesOfD39[status][action];
      const result = moveGroup(before, action, now);
      if (to === undefined) expect(expectFailure(result)).toEqual(refused(action));
      else expect(expectValue(result)).toEqual({ ...before, status: to, ...written[action] });
    },
  );

  test('assign moves a waiting group to Pending with its vendor, or is refused', () => {
    const result = assignGroup(before, 'vendor-2');
    if (movesOfD39[status].assign === undefined)
      expect(expectFailure(result)).toEqual(refused('assign'));
    else
      expect(expectValue(result)).toEqual({ ...before, status: 'Pending', vendorId: 'vendor-2' });
  });

  test.each(groupStatusesOfPart2)('an operator sets %s by the same move', (wanted) => {
    const action = asked[wanted];
    const result = setGroupStatus(before, wanted, now);
    if (action === 'set Pending' || action === 'set PendingSourcing')
      expect(expectFailure(result)).toEqual(refused(action));
    else
      expect(result).toEqual(moveGroup(before, action as (typeof movesBesidesAssign)[number], now));
  });
});

test('a group that is shipped at once has no packing time', () => {
  const shipped = expectValue(moveGroup(groupIn('Pending'), 'ship', now));
  expect(shipped).toMatchObject({ status: 'Shipped', packedAt: null, shippedAt: now });
});

test('the service’s own group moves like a vendor’s and is never assigned', () => {
  const own = groupIn('Pending', { vendorId: null });
  expect(expectValue(moveGroup(own, 'pack', now))).toEqual({
    ...own,
    status: 'Packed',
    packedAt: now,
  });
  expect(expectFailure(assignGroup(own, 'vendor-1')).code).toBe(invalidGroupTransition);
});

/** Every way that D39 leaves from a first status to an end. */
const ways = [
  'Pending>Packed>Shipped>Delivered>Returned',
  'Pending>Shipped>Delivered>Returned',
  'Pending>Packed>Cancelled',
  'Pending>Cancelled',
  'PendingSourcing>Cancelled',
  'PendingSourcing>Pending>Packed>Shipped>Delivered>Returned',
  'PendingSourcing>Pending>Shipped>Delivered>Returned',
  'PendingSourcing>Pending>Packed>Cancelled',
  'PendingSourcing>Pending>Cancelled',
];

test('after any moves a group is on one of D39’s ways, each of its times written once', () => {
  const first = fc.constantFrom<GroupStatus[]>('Pending', 'PendingSourcing');
  const moves = fc.array(fc.constantFrom('assign' as const, ...movesBesidesAssign), {
    minLength: 1,
    maxLength: 30,
    size: 'max',
  });
  const walked = new Set<string>();
  fc.assert(
    fc.property(first, moves, (status, actions) => {
      let group = groupIn(status);
      const way: string[] = [status];
      const times: Partial<FulfilmentGroup> = {};
      for (const [index, action] of actions.entries()) {
        const at = new Date(now.getTime() + index);
        const before = deepFrozen(group);
        const result =
          action === 'assign' ? assignGroup(before, 'vendor-1') : moveGroup(before, action, at);
        if (!result.ok) continue;
        group = result.value;
        way.push(group.status);
        if (group.status === 'Packed') Object.assign(times, { packedAt: at });
        if (group.status === 'Shipped') Object.assign(times, { shippedAt: at });
        if (group.status === 'Delivered') Object.assign(times, { deliveredAt: at });
      }
      expect(ways.some((whole) => `${whole}>`.startsWith(`${way.join('>')}>`))).toBe(true);
      const untimed = { packedAt: null, shippedAt: null, deliveredAt: null };
      expect(group).toEqual({
        ...groupIn(status),
        ...untimed,
        ...times,
        status: group.status,
        vendorId: way.includes('Pending') ? 'vendor-1' : null,
      });
      walked.add(way.join('>'));
    }),
    { numRuns: 2000 },
  );
  // Not one way was left out.
  expect(ways.filter((way) => !walked.has(way))).toEqual([]);
});

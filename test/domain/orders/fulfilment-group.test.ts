import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  assignGroup,
  carriers,
  moveGroup,
  setGroupStatus,
  type FulfilmentGroup,
} from '../../../domain/orders/fulfilment-group.ts';
import type { GroupAction, GroupStatus } from '../../../domain/orders/fulfilment-status.ts';
import { deepFrozen, expectFailure, expectValue, now } from '../offers/offer-builders.ts';
import {
  groupIn,
  groupStatusesOfPart2,
  invalidGroupTransition,
  movesBesidesAssign,
  movesOfD39,
} from './group-builders.ts';

test('the carriers are those of the specification', () => {
  expect(carriers).toEqual(['CarrierA', 'CarrierB', 'CarrierC', 'Other']);
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

describe.each(groupStatusesOfPart2)('%s', (status) => {
  test.each(movesBesidesAssign)(
    '%s: moves as D39 says and writes its time, or is refused',
    (action) => {
      const before = deepFrozen(groupIn(status));
      const to = movesOfD39[status][action];
      const result = moveGroup(before, action, now);
      if (to === undefined) {
        expect(expectFailure(result)).toEqual({
          code: invalidGroupTransition,
          details: { status, action },
        });
      } else {
        expect(expectValue(result)).toEqual({ ...before, status: to, ...written[action] });
      }
    },
  );

  test('assigned: Pending, and the vendor’s, if it waited for a source; else refused', () => {
    const before = deepFrozen(groupIn(status));
    const result = assignGroup(before, 'vendor-2');
    if (status === 'PendingSourcing') {
      expect(expectValue(result)).toEqual({ ...before, status: 'Pending', vendorId: 'vendor-2' });
    } else {
      expect(expectFailure(result)).toEqual({
        code: invalidGroupTransition,
        details: { status, action: 'assign' },
      });
    }
  });
});

/** What an operator may set from each status, by hand from D39, and by which action that is. */
const settable: Readonly<Record<GroupStatus, Readonly<Partial<Record<GroupStatus, GroupAction>>>>> =
  {
    Pending: { Packed: 'pack', Shipped: 'ship', Cancelled: 'cancel' },
    Packed: { Shipped: 'ship', Cancelled: 'cancel' },
    Shipped: { Delivered: 'deliver' },
    Delivered: { Returned: 'return' },
    Cancelled: {},
    Returned: {},
    PendingSourcing: { Cancelled: 'cancel' },
  };
/** How a refusal names what was asked. */
const asked: Readonly<Record<GroupStatus, string>> = {
  Pending: 'set Pending',
  Packed: 'pack',
  Shipped: 'ship',
  Delivered: 'deliver',
  Cancelled: 'cancel',
  Returned: 'return',
  PendingSourcing: 'set PendingSourcing',
};

describe.each(groupStatusesOfPart2)('an operator, from %s', (status) => {
  test.each(groupStatusesOfPart2)('sets %s: the same move, or refused', (wanted) => {
    const before = deepFrozen(groupIn(status));
    const action = settable[status][wanted];
    const result = setGroupStatus(before, wanted, now);
    if (action === undefined) {
      expect(expectFailure(result)).toEqual({
        code: invalidGroupTransition,
        details: { status, action: asked[wanted] },
      });
    } else {
      expect(expectValue(result)).toEqual({ ...before, status: wanted, ...written[action] });
    }
  });
});

test('what is shipped at once was never packed', () => {
  const shipped = expectValue(moveGroup(groupIn('Pending'), 'ship', now));
  expect(shipped).toMatchObject({ status: 'Shipped', packedAt: null, shippedAt: now });
});

test('the service’s own group moves like a vendor’s', () => {
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

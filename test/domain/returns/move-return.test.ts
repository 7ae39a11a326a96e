import { describe, expect, test } from 'vitest';
import type { Result } from '../../../domain/errors.ts';
import { applyReturnCommand } from '../../../domain/returns/apply-return-command.ts';
import {
  decideReturn,
  moveReturn,
  moveReturnByStaff,
  requestReturn,
  returnDestinations,
  type ReturnRequest,
} from '../../../domain/returns/return-request.ts';
import { returnStatuses, type StaffReturnAction } from '../../../domain/returns/return-status.ts';
import { deepFrozen, expectFailure, expectValue, now } from '../offers/offer-builders.ts';
import {
  after,
  invalidTransition,
  line,
  movesOfD41,
  outcomes,
  piece,
  returnChangedTo,
  returnIn,
  staffMoves,
  times,
} from './return-builders.ts';

test('a request begins Pending at version 1, without times, outcome, proposal and evidence', () => {
  expect(returnDestinations).toEqual(['Supplier', 'SortingPoint']);
  const asked = {
    id: 'return-1',
    orderId: 'order-1',
    destination: 'Supplier',
    vendorId: 'vendor-1',
    lines: [line('Defective'), line('Other', { lineId: 'line-2', quantity: 3 })],
    times,
  } as const;
  expect(requestReturn({ ...asked, now })).toEqual({
    ...asked,
    status: 'Pending',
    requestedAt: now,
    receivedAt: null,
    inspectionStartedAt: null,
    inspectionDeadline: null,
    inspectionDecidedAt: null,
    closingAnnouncedAt: null,
    outcome: null,
    decidedBy: null,
    proposedOutcome: null,
    requiresStaffReview: false,
    evidence: [],
    version: 1,
  });
});

/** What a move writes besides the status. */
const written: Readonly<Partial<Record<StaffReturnAction, Partial<ReturnRequest>>>> = {
  receive: { receivedAt: now },
  startInspection: { inspectionStartedAt: now, inspectionDeadline: after(now, times.windowMs) },
};

/** Expects the change, or where it is null the refusal of the action. */
function expectMoved(
  before: ReturnRequest,
  action: string,
  result: Result<ReturnRequest>,
  change: Partial<ReturnRequest> | null,
): void {
  if (change !== null) expect(expectValue(result)).toEqual(returnChangedTo(before, change));
  else {
    const details = { status: before.status, action };
    expect(expectFailure(result)).toEqual({ code: invalidTransition, details });
  }
}

describe.each(returnStatuses)('%s', (status) => {
  const each = returnDestinations.map((destination) =>
    deepFrozen(returnIn(status, { destination, proposedOutcome: 'AcceptedSound' })),
  );

  test.each(staffMoves)('%s moves by the table, or is refused', (action) => {
    for (const before of each) {
      const to = movesOfD41[status][action];
      const change = to === undefined ? null : { status: to, ...written[action] };
      expectMoved(before, action, moveReturn(before, action, now), change);
      const isSuppliers = action === 'receive' && before.destination === 'Supplier';
      const byStaff = moveReturnByStaff(before, action, now);
      expectMoved(before, action, byStaff, isSuppliers ? null : change);
      if (action !== 'startInspection') continue;
      expectMoved(
        before,
        action,
        applyReturnCommand(before, { action, reason: null }, now),
        change,
      );
    }
  });

  test.each(outcomes)('a decision of %s moves by the table, or is refused', (outcome) => {
    for (const before of each) {
      const to = movesOfD41[status][`decide ${outcome}`];
      const change = to === undefined ? null : { status: to, outcome, inspectionDecidedAt: now };
      const command = { action: 'decide', outcome, reason: 'Seen.' } as const;
      expectMoved(before, 'decide', decideReturn(before, outcome, now), change);
      expectMoved(before, 'decide', applyReturnCommand(before, command, now), change);
    }
  });
});

test.each(outcomes)('a decision after the proposal %s lifts the required review', (proposed) => {
  const given = { proposedOutcome: proposed, evidence: [piece('Photo')] };
  const before = returnIn('UnderInspection', { ...given, requiresStaffReview: true });
  for (const outcome of outcomes)
    expect(expectValue(decideReturn(deepFrozen(before), outcome, now))).toMatchObject({
      outcome,
      proposedOutcome: proposed,
      requiresStaffReview: false,
    });
});

test('an inspection window has the length that its return was created with', () => {
  const before = returnIn('Received', { times: { startMs: 5, windowMs: 7, closingMs: 0 } });
  expect(expectValue(moveReturn(before, 'startInspection', now))).toEqual(
    returnChangedTo(before, {
      status: 'UnderInspection',
      inspectionStartedAt: now,
      inspectionDeadline: after(now, 7),
    }),
  );
});
